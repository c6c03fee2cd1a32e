/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mem.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *check(void *p)
{
	if (!p) {
		static const char text[] = "thpbench: out of memory\n";

		(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
		abort();
	}
	return p;
}

void *xmalloc(size_t size)
{
	return check(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t size)
{
	return check(realloc(p, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return s ? check(strdup(s)) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
	return check(strndup(s, n));
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *text = NULL;

	return check(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
}

char *xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

void *mem_grow(void *arr, size_t n, size_t size)
{
	void *grown;

	if (n && (n & (n - 1)))
		return arr;
	grown = reallocarray(arr, n ? 2 * n : 1, size);
	return check(grown);
}

void mem_free_auto(void *pp)
{
	free(*(void **)pp);
}

void mem_close_auto(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void mem_fclose_auto(void *filepp)
{
	FILE *f = *(FILE **)filepp;

	if (f)
		fclose(f);
}

void mem_closedir_auto(void *dirpp)
{
	DIR *d = *(DIR **)dirpp;

	if (d)
		closedir(d);
}
