/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a guest: cut anywhere, the same are taken. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/guest_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int note(const struct guest_frame *frame, void *arg)
{
	struct str *s = arg;

	if (strlen(frame->name) > GUEST_NAME_MAX || strchr(frame->name, '/') ||
	    frame->n > GUEST_DATA_MAX || frame->data[frame->n])
		abort();
	str_addf(s, "%d %s %llu ", (int)frame->kind, frame->name,
		 (unsigned long long)frame->offset);
	str_addn(s, frame->data, frame->n);
	return 0;
}

static int feed(const char *bytes, size_t size, size_t piece, struct str *taken)
{
	struct guest_frames f = { 0 };
	int ret = 0;

	for (size_t i = 0; i < size && !ret; i += piece)
		ret = guest_frames_feed(&f, bytes + i,
					size - i < piece ? size - i : piece,
					note, taken);
	guest_frames_free(&f);
	return ret;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_str struct str whole = { 0 };
	auto_str struct str cut = { 0 };
	const char *bytes = (const char *)data;

	if (size > 4096)
		return 0;
	if (feed(bytes, size, size + 1, &whole) != feed(bytes, size, 3, &cut))
		abort();
	if (whole.len != cut.len ||
	    (whole.len && memcmp(whole.text, cut.text, cut.len) != 0))
		abort();
	return 0;
}
