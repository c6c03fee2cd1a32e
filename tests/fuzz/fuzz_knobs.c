/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files with words, their values, and keys: input is "text NUL value". */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "kern/knobs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(int is_true)
{
	if (!is_true)
		abort();
}

static void check_text(const char *text, const char *value)
{
	auto_free char *now = knob_value(text);
	auto_free char *shown = knob_show(text, value);
	char **words;
	size_t n;
	int chosen = knob_words(text, &words, &n);

	check(n ? chosen >= 0 && (size_t)chosen < n : chosen == -1);
	check(knob_same(now, now));
	check(knob_same(now, value) == knob_same(value, now));
	if (n) {
		/* What it would show is what was chosen, and only a word. */
		check(knob_takes(text, now));
		check(str_eq(now, words[chosen]));
		check((shown != NULL) == knob_takes(text, value));
		free(words[0]);
	}
	free(words);
	if (n && shown) {
		auto_free char *again = knob_value(shown);

		check(str_eq(again, value));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	auto_free char *text = xstrndup((const char *)data, n);
	size_t used = strlen(text);
	auto_free char *value =
		used < n ? xstrndup((const char *)data + used + 1, n - used - 1)
			 : xstrdup("never");
	auto_free char *path = knob_path(text);

	if (path)
		check(str_starts(path, "sys/kernel/mm/transparent_hugepage/") ||
		      str_starts(path, "proc/sys/"));
	if (path)
		check(!strstr(path, "..") && !strstr(path, "//"));
	check_text(text, value);
	return 0;
}
