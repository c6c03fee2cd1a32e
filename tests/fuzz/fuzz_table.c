/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of any texts: labels, reasons and events come from result folders.
 * As text every line must be fit for a mail, whatever is in them.
 */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>

#include "base/mem.h"
#include "out/report.h"
#include "out/wrap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_TEXTS = 6 };

/* The input, cut at newlines: the last one is the rest. */
static void cut(const uint8_t *data, size_t size, char *texts[N_TEXTS])
{
	const char *p = (const char *)data;
	const char *end = p + size;

	for (size_t i = 0; i < N_TEXTS; i++) {
		size_t left = (size_t)(end - p);
		const char *stop = left ? memchr(p, '\n', left) : NULL;
		size_t n = stop && i + 1 < N_TEXTS ? (size_t)(stop - p) : left;

		texts[i] = xstrndup(p, n);
		p += n + (stop && i + 1 < N_TEXTS);
	}
}

static void check_mail(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		assert(n <= WRAP_WIDTH && !wrap_is_unsafe(text));
		for (size_t i = 0; i < n; i++)
			assert(text[i] >= ' ' && text[i] <= '~');
		assert(text[n] == '\n');
		text += n + 1;
	}
}

static void check_json(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);

	assert(json);
	json_decref(json);
}

static void check(const struct experiment *e)
{
	for (size_t f = 0; f < n_report_formats; f++) {
		auto_str struct str out = { 0 };

		if (f == TABLE_HTML) /* starts gnuplot for each input */
			continue;
		report_print(e, NULL, 0, (enum table_format)f, &out);
		if (f == TABLE_TEXT)
			check_mail(out.text);
		else if (f == TABLE_JSON)
			check_json(out.text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *texts[N_TEXTS];
	struct arm_record arms[2] = { 0 };
	struct event event = { .name = (char *)"collapse" };
	struct mapping mapping = { .rss_bytes = 1, .huge_bytes = 1 };
	struct run run = {
		.number = 1,
		.block = 1,
		.attempt = 2,
		.state = RUN_MARKED,
		.events = &event,
		.n_events = 1,
		.at_end = { &mapping, 1 },
	};
	struct experiment e = {
		.arms = arms,
		.n_arms = 2,
		.runs = &run,
		.n_runs = 1,
		.n_planned = 2,
		.blocks = 1,
	};

	cut(data, size, texts);
	arms[0].label = texts[0];
	arms[1].label = texts[1];
	e.title = texts[2];
	run.reason = texts[3];
	mapping.name = texts[4];
	event.detail = texts[5];
	check(&e);
	for (size_t i = 0; i < N_TEXTS; i++)
		free(texts[i]);
	return 0;
}
