/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/ktext.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

/* Documentation/bpf/btf.rst, struct btf_header */
struct btf_header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t header_length;
	uint32_t type_offset;
	uint32_t type_length;
	uint32_t text_offset;
	uint32_t text_length;
};

static const char btf_start[] = "\x9f\xeb\x01\0\x18\0\0";

static void set_btf(struct ktext *t, size_t at)
{
	struct btf_header h;
	uint64_t length;

	if (t->n - at < sizeof(h))
		return;
	memcpy(&h, t->data + at, sizeof(h));
	length = (uint64_t)h.header_length + h.text_offset + h.text_length;
	if (length > t->n - at || h.text_offset < h.type_length)
		return;
	t->btf = at;
	t->n_btf = (size_t)length;
}

/* The next of these bytes at or behind from; NULL: none. */
static const unsigned char *next(const struct ktext *t, size_t from,
				 const void *what, size_t length)
{
	return from < t->n ? memmem(t->data + from, t->n - from, what, length)
			   : NULL;
}

void ktext_init(const void *data, size_t n, struct ktext *out)
{
	const unsigned char *p;

	*out = (struct ktext){ .data = data, .n = n };
	p = next(out, 0, btf_start, sizeof(btf_start));
	while (p && !out->n_btf) {
		set_btf(out, (size_t)(p - out->data));
		p = next(out, (size_t)(p - out->data) + 1, btf_start,
			 sizeof(btf_start));
	}
}

static bool in_btf(const struct ktext *t, size_t at)
{
	return at >= t->btf && at - t->btf < t->n_btf;
}

size_t ktext_next_word(const struct ktext *t, size_t from, const char *word)
{
	size_t length = strlen(word) + 1; /* with its NUL */
	const unsigned char *p;

	while ((p = next(t, from, word, length))) {
		size_t at = (size_t)(p - t->data);

		if (in_btf(t, at))
			from = t->btf + t->n_btf;
		else if (at && !p[-1])
			return at;
		else
			from = at + 1;
	}
	return t->n;
}

bool ktext_has_word(const struct ktext *t, const char *word)
{
	return ktext_next_word(t, 0, word) < t->n;
}

bool ktext_has(const struct ktext *t, const char *part)
{
	return next(t, 0, part, strlen(part));
}

int ktext_has_type(const struct ktext *t, const char *name)
{
	struct ktext types = { .data = t->data + t->btf, .n = t->n_btf };

	return t->n_btf ? ktext_has_word(&types, name) : -ENODATA;
}

char *ktext_release(const struct ktext *t)
{
	static const char start[] = "Linux version ";
	const unsigned char *p = next(t, 0, start, sizeof(start) - 1);

	while (p) {
		const unsigned char *end = t->data + t->n;
		size_t length = 0;

		p += sizeof(start) - 1;
		while (p + length < end && isgraph(p[length]))
			length++;
		if (length && isdigit(p[0]))
			return xstrndup((const char *)p, length);
		p = next(t, (size_t)(p - t->data), start, sizeof(start) - 1);
	}
	return NULL;
}

bool ktext_config(const struct ktext *t, size_t *offset, size_t *length)
{
	/* kernel/configs.c, with the first bytes of gzip behind. */
	static const char start[] = "IKCFG_ST\x1f\x8b";
	static const char end[] = "IKCFG_ED";
	const unsigned char *from = next(t, 0, start, sizeof(start) - 1);
	const unsigned char *to;

	if (!from)
		return false;
	from += strlen("IKCFG_ST");
	*offset = (size_t)(from - t->data);
	to = next(t, *offset, end, sizeof(end) - 1);
	if (!to)
		return false;
	*length = (size_t)(to - from);
	return true;
}
