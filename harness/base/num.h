/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units, read strictly and printed plainly. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>

#define NUM_NS_PER_S UINT64_C(1000000000)
#define NUM_NS_PER_MS UINT64_C(1000000)
#define NUM_KIB UINT64_C(1024)
#define NUM_MIB (1024 * NUM_KIB)
#define NUM_GIB (1024 * NUM_MIB)

/*
 * All take the whole text (no rest, no leading blank) and return 0, -EINVAL
 * for what is no such number, or -ERANGE for one that does not fit. *out is
 * written on success only.
 */
int num_u64(const char *text, uint64_t *out); /* decimal, or hex with 0x */
int num_i64(const char *text, int64_t *out);
int num_double(const char *text, double *out);   /* finite */
int num_size(const char *text, uint64_t *bytes); /* 4096 64k 2M 1G 1T */
int num_time(const char *text, uint64_t *ns);    /* 500ms 10s 2m 1h 5us */
int num_percent(const char *text, double *pct);  /* 0.5% or 0.5 */

/*
 * The number at the start of *text, after blanks; *text moves behind it.
 * Returns 0 or -EINVAL. For kernel texts.
 */
int num_scan_u64(const char **text, uint64_t *out);

/* The shortest exact form: 2147483648 -> "2G", 1500 -> "1500". free() it. */
char *num_size_text(uint64_t bytes);
/* 90000000000 -> "1m30s", 500000000 -> "500ms". free() it. */
char *num_time_text(uint64_t ns);

#endif
