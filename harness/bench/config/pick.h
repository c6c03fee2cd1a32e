/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure out of what a program printed. */
#ifndef BENCH_PICK_H
#define BENCH_PICK_H

/*
 * By an extended regular expression (regex(7)), whose first group is the
 * number; ^ and $ are those of a line. The last match counts: programs print
 * their result last. 0, or -ENOMSG with *why (a sentence, free() it): no
 * match, a group that is no number.
 */
int pick_regex(const char *text, const char *regex, double *out, char **why);

/*
 * By a path such as .jobs[0].read.iops in JSON: all of the text, else its
 * last line that is JSON. 0, or -ENOMSG with *why.
 */
int pick_json(const char *text, const char *path, double *out, char **why);

/* Is it one at all? NULL, or what is wrong (free() it). */
char *pick_regex_fault(const char *regex);
char *pick_json_fault(const char *path);

#endif
