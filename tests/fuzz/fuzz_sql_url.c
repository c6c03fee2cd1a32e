/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a store; what is taken holds what a connection needs. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/history/sql_url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *why = NULL;
	struct sql_url url;
	int ret = sql_url_parse(text, &url, &why);

	if (ret ? !why : why != NULL)
		abort();
	if (ret && (url.path || url.database || url.host || url.socket))
		abort();
	if (!ret && !url.is_mariadb && strcmp(url.path, text) != 0)
		abort();
	if (!ret && url.is_mariadb &&
	    (!url.database || (!url.host && !url.socket && !url.option_file)))
		abort();
	sql_url_free(&url);
	return 0;
}
