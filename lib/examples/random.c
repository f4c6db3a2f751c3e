// SPDX-License-Identifier: LGPL-2.1-or-later OR MIT
/*
 * Print random bytes in hex
 * usage: random [BYTES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libapq.h>

int main(int argc, char **argv)
{
	long len = argc > 1 ? strtol(argv[1], NULL, 10) : 16, i;
	unsigned char *buf;
	int ret;

	if (len < 1 || len > 1 << 20) {
		fprintf(stderr, "usage: random [1 to 1048576]\n");
		return 2;
	}
	buf = malloc(len);
	if (!buf)
		return 1;
	ret = apq_random(buf, len);
	if (ret) {
		fprintf(stderr, "random: %s\n", strerror(-ret));
		free(buf);
		return 1;
	}
	for (i = 0; i < len; i++)
		printf("%02x", buf[i]);
	putchar('\n');
	free(buf);
	return 0;
}
