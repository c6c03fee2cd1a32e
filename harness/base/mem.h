/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that does not fail, and locals that release themselves. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Out of memory ends the process by abort(): the guard restores the system.
 * Everything returned is freed with free().
 */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s); /* NULL stays NULL */
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap)
	__attribute__((format(printf, 1, 0)));

/*
 * Make room for element n of an array that holds n: XGROW(arr, n); arr[n++] =
 * x. The room doubles when n is a power of two, so no capacity is stored.
 */
#define XGROW(arr, n) ((arr) = mem_grow((arr), (n), sizeof(*(arr))))
void *mem_grow(void *arr, size_t n, size_t size);

/* auto_free char *p: free()d; auto_close int fd: closed if >= 0; and so on. */
#define auto_free __attribute__((cleanup(mem_free_auto)))
#define auto_close __attribute__((cleanup(mem_close_auto)))
#define auto_fclose __attribute__((cleanup(mem_fclose_auto)))
#define auto_dir __attribute__((cleanup(mem_closedir_auto)))
void mem_free_auto(void *pp);
void mem_close_auto(int *fd);
void mem_fclose_auto(void *filepp);
void mem_closedir_auto(void *dirpp);

#endif
