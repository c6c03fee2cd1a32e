/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/sql_url.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#define SCHEME "mariadb://"
#define FORM                                                                   \
	"right is mariadb://USER@HOST/DATABASE or "                            \
	"mariadb:///DATABASE?socket=PATH"

static int wrong(char **why, const char *what)
{
	*why = xasprintf("%s; " FORM, what);
	return -EINVAL;
}

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
					  : -1;
}

/* n bytes with %XX undone; NULL for an empty text or a bad or zero byte. */
static char *decode(const char *text, size_t n)
{
	struct str out = { 0 };

	for (size_t i = 0; i < n; i++) {
		int high;
		int low;

		if (text[i] != '%') {
			str_addc(&out, text[i]);
			continue;
		}
		high = i + 2 < n ? hex_digit(text[i + 1]) : -1;
		low = i + 2 < n ? hex_digit(text[i + 2]) : -1;
		if (high < 0 || low < 0 || !(high + low)) {
			str_free(&out);
			return NULL;
		}
		str_addc(&out, (char)(16 * high + low));
		i += 2;
	}
	if (!out.len)
		return NULL;
	return str_steal(&out);
}

static int take_port(struct sql_url *u, const char *text, size_t n, char **why)
{
	auto_free char *number = xstrndup(text, n);
	uint64_t port;

	if (num_u64(number, &port) || !port || port > UINT16_MAX)
		return wrong(why, "the port is no number from 1 to 65535");
	u->port = (uint16_t)port;
	return 0;
}

/* Its length; 0: none, or an address of IPv6 without its brackets. */
static size_t host_length(const char *text, size_t n)
{
	const char *end = memchr(text, *text == '[' ? ']' : ':', n);
	size_t length = end ? (size_t)(end - text) : n;

	if (*text == '[')
		return end ? length + 1 : 0;
	return length < n && memchr(end + 1, ':', n - length - 1) ? 0 : length;
}

static int take_host(struct sql_url *u, const char *text, size_t n, char **why)
{
	size_t host = n ? host_length(text, n) : 0;
	bool is_ip6 = n && *text == '[';

	if (!n)
		return 0;
	if (!host || (host < n && text[host] != ':'))
		return wrong(why, "the host cannot be read; an address of IPv6 "
				  "stands in brackets, [::1]");
	u->host = is_ip6 ? decode(text + 1, host - 2) : decode(text, host);
	if (!u->host)
		return wrong(why, "the host cannot be read");
	return host < n ? take_port(u, text + host + 1, n - host - 1, why) : 0;
}

static int take_user(struct sql_url *u, const char *text, size_t n, char **why)
{
	if (!n)
		return 0;
	if (memchr(text, ':', n))
		return wrong(why, "a password does not belong there, where "
				  "others see it: THPBENCH_STORE_PASSWORD or "
				  "an option file");
	u->user = decode(text, n);
	return u->user ? 0 : wrong(why, "the user cannot be read");
}

static int take_option(struct sql_url *u, const char *text, size_t n,
		       char **why)
{
	static const struct {
		const char *name;
		size_t offset;
	} known[] = {
		{ "socket=", offsetof(struct sql_url, socket) },
		{ "option_file=", offsetof(struct sql_url, option_file) },
		{ "tls_ca=", offsetof(struct sql_url, tls_ca) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		size_t length = strlen(known[i].name);
		char **value = (char **)((char *)u + known[i].offset);

		if (n < length || strncmp(text, known[i].name, length) != 0)
			continue;
		if (*value)
			return wrong(why, "an option stands there twice");
		*value = decode(text + length, n - length);
		return *value ? 0 : wrong(why, "an option has no value");
	}
	return wrong(why, "behind '?' come socket=, option_file= and tls_ca=");
}

static int take_options(struct sql_url *u, const char *text, char **why)
{
	int ret = 0;

	while (!ret && *text) {
		size_t n = strcspn(text, "&");

		ret = take_option(u, text, n, why);
		text += n + (text[n] == '&');
	}
	return ret;
}

static int check(const struct sql_url *u, char **why)
{
	if (u->host && u->socket)
		return wrong(why, "a host and a socket: one of them");
	if (!u->host && !u->socket && !u->option_file)
		return wrong(why, "neither a host nor a socket");
	if (u->tls_ca && u->socket)
		return wrong(why, "a socket needs no tls_ca");
	return 0;
}

static int parse_mariadb(const char *text, struct sql_url *u, char **why)
{
	size_t authority = strcspn(text, "/?");
	const char *at = memrchr(text, '@', authority);
	size_t user = at ? (size_t)(at - text) : 0;
	size_t host = at ? user + 1 : 0;
	const char *path = text + authority;
	size_t n = *path == '/' ? strcspn(path + 1, "?") : 0;
	int ret;

	u->is_mariadb = true;
	u->database = n ? decode(path + 1, n) : NULL;
	if (!u->database || strchr(u->database, '/'))
		return wrong(why, "the database is not named");
	ret = take_user(u, text, user, why);
	if (!ret)
		ret = take_host(u, text + host, authority - host, why);
	if (!ret && path[1 + n] == '?')
		ret = take_options(u, path + n + 2, why);
	return ret ? ret : check(u, why);
}

int sql_url_parse(const char *text, struct sql_url *out, char **why)
{
	int ret = 0;

	*out = (struct sql_url){ 0 };
	if (str_starts(text, SCHEME))
		ret = parse_mariadb(text + strlen(SCHEME), out, why);
	else if (strstr(text, "://"))
		ret = wrong(why, "a store is a file or " SCHEME);
	else if (str_starts(text, "mariadb:"))
		ret = wrong(why, "two strokes come behind mariadb:");
	else if (!*text)
		ret = wrong(why, "it is empty");
	else if (*text == ':')
		/* To SQLite ":memory:" is no file. */
		ret = wrong(why, "it begins with ':'; ./: is such a file");
	else
		out->path = xstrdup(text);
	if (ret)
		sql_url_free(out);
	return ret;
}

void sql_url_free(struct sql_url *url)
{
	free(url->path);
	free(url->user);
	free(url->host);
	free(url->database);
	free(url->socket);
	free(url->option_file);
	free(url->tls_ca);
	*url = (struct sql_url){ 0 };
}

char *sql_url_default(void)
{
	const char *store = getenv("THPBENCH_STORE");
	const char *data = getenv("XDG_DATA_HOME");
	const char *home = getenv("HOME");

	if (store && *store)
		return xstrdup(store);
	/* The XDG specification: a path that is not absolute is none. */
	if (data && *data == '/')
		return xasprintf("%s/thpbench/history.db", data);
	if (home && *home)
		return xasprintf("%s/.local/share/thpbench/history.db", home);
	return NULL;
}
