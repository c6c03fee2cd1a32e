/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where our own data files lie: built in a tree, or installed. */
#ifndef BASE_PATHS_H
#define BASE_PATHS_H

/*
 * The path of a file of ours by its bare name: "report.lua", "mariadb.cnf",
 * "memtouch", "libthpkeep.so", "common.gp". Looked for, in this order, in
 *   $THPBENCH_SHARE
 *   the folder of the running program (of its parent, if that is a folder of
 *     test programs), and workloads/, plots/ and results/ of the tree whose
 * build/ it lies in
 *   ../share/thpbench and ../lib/thpbench of the program
 * and nowhere else: what a run executes as root must not be found by
 * accident. free() it; NULL if it is nowhere (printed, with the places).
 */
char *paths_find(const char *name);

/* The same for a program at exe, and silent. share: $THPBENCH_SHARE, NULL. */
char *paths_find_for(const char *exe, const char *share, const char *name);

#endif
