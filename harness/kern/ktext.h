/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an unpacked kernel knows, from its own texts: without booting it.
 */
#ifndef KERN_KTEXT_H
#define KERN_KTEXT_H

#include <stdbool.h>
#include <stddef.h>

struct ktext {
	const unsigned char *data;
	size_t n;
	size_t btf; /* Documentation/bpf/btf.rst: its types; n_btf 0: none */
	size_t n_btf;
};

/* Keeps data, which is the caller's. */
void ktext_init(const void *data, size_t n, struct ktext *out);

/* Where the next text of its own begins that is this word; t->n: nowhere. */
size_t ktext_next_word(const struct ktext *t, size_t from, const char *word);
/* Is this a text of its own, outside its description of its types? */
bool ktext_has_word(const struct ktext *t, const char *word);
/* Is this in a text? */
bool ktext_has(const struct ktext *t, const char *part);
/* Is there a type, member or function of this name? -ENODATA: not known. */
int ktext_has_type(const struct ktext *t, const char *name);

/*
 * The words of a table of names, an array of pointers or of a number and a
 * pointer each, that begins with these two. The linker lets "hugepage" be the
 * end of "nohugepage", so that the words alone do not tell. free() the list,
 * the words belong to data; NULL if there is no such table.
 */
const char **ktext_table(const struct ktext *t, const char *first,
			 const char *second, size_t *n);

/* "7.3.4+deb13-cloud-amd64"; NULL if it does not say. free() it. */
char *ktext_release(const struct ktext *t);

/* Where it keeps its configuration, gzip'ed (CONFIG_IKCONFIG); false: not. */
bool ktext_config(const struct ktext *t, size_t *offset, size_t *length);

#endif
