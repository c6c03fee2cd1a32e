/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel image of any content: nothing outside of it is looked at. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/kconfig.h"
#include "kern/kimage.h"
#include "kern/ktext.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct ktext *t)
{
	size_t n;
	auto_free const char **words = ktext_table(t, "willneed", "cold", &n);

	for (size_t i = 0; i < n; i++) {
		const char *end = (const char *)t->data + t->n;

		if (words[i] < (const char *)t->data || words[i] >= end ||
		    !memchr(words[i], 0, (size_t)(end - words[i])))
			abort();
	}
	if (n && (n < 2 || strcmp(words[0], "willneed")))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *release = NULL;
	struct kimage image;
	struct ktext t;
	size_t offset;
	size_t length;

	if (!kimage_parse(data, size, &image) &&
	    (image.offset > size || image.length > size - image.offset))
		abort();
	ktext_init(data, size, &t);
	if (t.n_btf && (t.btf > size || t.n_btf > size - t.btf))
		abort();
	check_table(&t);
	ktext_has_type(&t, "pm_scan_arg");
	release = ktext_release(&t);
	if (ktext_config(&t, &offset, &length) &&
	    (offset > size || length > size - offset))
		abort();
	kconfig_get(text, "DAMON");
	return 0;
}
