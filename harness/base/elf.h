/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program's file says of where it runs, and of what it needs. */
#ifndef BASE_ELF_H
#define BASE_ELF_H

#include <stddef.h>

struct elf {
	unsigned int machine; /* EM_X86_64, ... of <elf.h> */
	char *interp;         /* the loader that it asks for; NULL: none */
};

/*
 * Look at a file. 0; -ENOEXEC if it is no 64-bit little-endian ELF file, or
 * one cut short; else -errno. Silent. elf_free() what it holds.
 */
int elf_read(const char *path, struct elf *out);
/* The same of the first bytes of a file. */
int elf_parse(const void *data, size_t n, struct elf *out);
void elf_free(struct elf *e);

/*
 * The libraries that a program is started with, and its loader, as paths; by
 * asking its loader (--list), so that it must be one of this machine. lib_path
 * is added in front of what the loader looks through, NULL: nothing. 0, or
 * -errno printed: a library that is nowhere is named. A program without a
 * loader needs none: n is 0. free() each and the list.
 */
int elf_libraries(const char *path, const char *lib_path, char ***list,
		  size_t *n);

/*
 * What a loader prints for --list: the paths in it, in their order. Returns
 * the name of one that it did not find (free() it), or NULL.
 */
char *elf_parse_list(const char *text, char ***list, size_t *n);

#endif
