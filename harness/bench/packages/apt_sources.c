/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/packages/apt_sources.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* Suites that differ from a release, by their name or its end ("-..."). */
static const struct {
	const char *name;
	struct apt_suite_kind kind;
} suite_kinds[] = {
	{ "-security", { APT_SECURITY, false } },
	{ "-updates", { APT_MAIN, false } },
	{ "-proposed-updates", { APT_MAIN, false } },
	{ "-backports", { APT_MAIN, false } },
	{ "-backports-sloppy", { APT_MAIN, false } },
	{ "sid", { APT_MAIN, false } },
	{ "unstable", { APT_MAIN, false } },
	{ "experimental", { APT_MAIN, false } },
};

/* Names of releases that change their meaning: every machine may use them. */
static const char *const class_names[] = {
	"oldoldstable", "oldstable", "stable",       "testing",
	"unstable",     "sid",       "experimental",
};

/* Only these say where packages are and who signs them. */
static const char *const kept_fields[] = {
	"uris",       "components",        "signed-by",
	"check-date", "check-valid-until", "by-hash",
};

struct apt_suite_kind apt_suite_kind(const char *suite)
{
	for (size_t i = 0; i < ARRAY_SIZE(suite_kinds); i++) {
		const char *name = suite_kinds[i].name;

		if (name[0] == '-' ? str_ends(suite, name)
				   : str_eq(suite, name))
			return suite_kinds[i].kind;
	}
	return (struct apt_suite_kind){ APT_MAIN, true };
}

bool apt_is_suite_name(const char *text)
{
	if (!isalnum((unsigned char)text[0]))
		return false;
	for (const char *p = text; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-.", *p))
			return false;
	return true;
}

static bool has_word(const char *text, const char *word)
{
	auto_free char *copy = xstrdup(text);
	size_t n;
	auto_free char **words = str_split(copy, ' ', &n);

	for (size_t i = 0; i < n; i++)
		if (str_eq(words[i], word))
			return true;
	return false;
}

static bool is_disabled(const struct facts *entry)
{
	static const char *const off[] = { "no",  "false",   "0",
					   "off", "without", "disable" };
	const char *enabled = facts_get(entry, "enabled");

	for (size_t i = 0; i < ARRAY_SIZE(off); i++)
		if (strcasecmp(enabled, off[i]) == 0)
			return true;
	return false;
}

/* Blanks for the line ends: all but an embedded key is a list of words. */
static void set_words(struct facts *to, const char *name, const char *value)
{
	auto_free char *words = xstrdup(value);

	for (char *p = words; *p; p++)
		if (*p == '\n')
			*p = ' ';
	facts_set(to, name, str_trim(words));
}

static void add_entry(struct deb822 *out, const struct facts *from)
{
	struct facts entry = { 0 };

	set_words(&entry, "suites", facts_get(from, "suites"));
	for (size_t i = 0; i < ARRAY_SIZE(kept_fields); i++) {
		const char *value = facts_get(from, kept_fields[i]);

		if (strstr(value, "BEGIN PGP"))
			facts_set(&entry, kept_fields[i], value);
		else if (value[0])
			set_words(&entry, kept_fields[i], value);
	}
	XGROW(out->list, out->n);
	out->list[out->n++] = entry;
}

/* "[signed-by=a,b arch=amd64]", without the brackets. */
static void read_options(char *text, struct facts *entry)
{
	size_t n;
	auto_free char **words = str_split(text, ' ', &n);

	for (size_t i = 0; i < n; i++) {
		char *value = strchr(words[i], '=');

		if (!value)
			continue;
		*value++ = '\0';
		for (char *p = value; *p; p++)
			if (*p == ',')
				*p = ' ';
		facts_set(entry, words[i], value);
	}
}

/* The rest of a line after "deb". */
static int read_one_line(char *line, struct deb822 *out)
{
	struct facts entry = { 0 };
	auto_free char **words = NULL;
	auto_str struct str rest = { 0 };
	size_t n;

	line = str_trim(line);
	if (line[0] == '[') {
		char *end = strchr(line, ']');

		if (!end)
			return -EPROTO;
		*end = '\0';
		read_options(line + 1, &entry);
		line = end + 1;
	}
	words = str_split(line, ' ', &n);
	for (size_t i = 2; i < n; i++)
		str_addf(&rest, "%s%s", i > 2 ? " " : "", words[i]);
	if (n > 2) {
		facts_set(&entry, "uris", words[0]);
		facts_set(&entry, "suites", words[1]);
		facts_set(&entry, "components", rest.text);
		add_entry(out, &entry);
	}
	facts_free(&entry);
	return n < 2 ? -EPROTO : 0;
}

static int parse_lines(const char *text, struct deb822 *out)
{
	int ret = 0;

	while (*text && !ret) {
		size_t n = strcspn(text, "\n");
		auto_free char *whole = xstrndup(text, n);
		char *line;

		whole[strcspn(whole, "#")] = '\0';
		line = str_trim(whole);
		if (str_starts(line, "deb ") || str_starts(line, "deb\t"))
			ret = read_one_line(line + strlen("deb"), out);
		text += n + (text[n] == '\n');
	}
	return ret;
}

static int parse_paragraphs(const char *text, struct deb822 *out)
{
	struct deb822 d;
	int ret = deb822_parse(text, &d);

	if (ret)
		return ret;
	for (size_t i = 0; i < d.n; i++)
		if (has_word(facts_get(&d.list[i], "types"), "deb") &&
		    !is_disabled(&d.list[i]))
			add_entry(out, &d.list[i]);
	deb822_free(&d);
	return 0;
}

int apt_sources_parse(const char *name, const char *text, struct deb822 *out)
{
	if (str_ends(name, ".sources"))
		return parse_paragraphs(text, out);
	if (str_ends(name, ".list"))
		return parse_lines(text, out);
	return 0;
}

static bool is_release(const char *name, const char *codename)
{
	if (codename[0] && str_eq(name, codename))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(class_names); i++)
		if (str_eq(name, class_names[i]))
			return true;
	return false;
}

/* How the name of a suite of the distribution may go on: "-updates". */
static bool is_known_end(const char *end)
{
	if (!*end || str_eq(end, "/updates"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(suite_kinds); i++)
		if (str_eq(end, suite_kinds[i].name))
			return true;
	return false;
}

/* Of a suite by its words: "bookworm-security", "buster/updates". */
static bool is_suite_of(char *suite, const char *codename, enum apt_place place)
{
	bool is_security = str_ends(suite, "/updates") ||
			   apt_suite_kind(suite).place == APT_SECURITY;
	size_t n;

	if (is_security != (place == APT_SECURITY))
		return false;
	n = strcspn(suite, "-/");
	if (!is_known_end(suite + n))
		return false;
	suite[n] = '\0';
	return is_release(suite, codename);
}

bool apt_source_is(const struct facts *entry, const char *codename,
		   enum apt_place place)
{
	auto_free char *suites = xstrdup(facts_get(entry, "suites"));
	auto_free char **words = NULL;
	bool is = false;
	size_t n;

	words = str_split(suites, ' ', &n);
	for (size_t i = 0; i < n; i++)
		is = is_suite_of(words[i], codename, place) || is;
	return is && has_word(facts_get(entry, "components"), "main");
}

static void add_field(struct str *out, const char *name, const char *value)
{
	str_addf(out, "%s: ", name);
	for (const char *p = value; *p; p++) {
		str_addc(out, *p);
		if (*p == '\n')
			str_add(out, p[1] && p[1] != '\n' ? " " : " .");
	}
	str_addc(out, '\n');
}

char *apt_source_text(const struct facts *entry, const char *suite,
		      const char *keyrings)
{
	struct str out = { 0 };

	str_addf(&out, "types: deb\nsuites: %s\n", suite);
	for (size_t i = 0; i < ARRAY_SIZE(kept_fields); i++) {
		const char *name = kept_fields[i];
		const char *value = facts_get(entry, name);
		bool is_files = str_eq(name, "signed-by") && value[0] == '/';
		auto_free char *more =
			xasprintf("%s%s%s", value, keyrings[0] ? " " : "",
				  keyrings);

		if (str_eq(name, "components"))
			add_field(&out, name, "main");
		else if (value[0])
			add_field(&out, name, is_files ? more : value);
	}
	return str_steal(&out);
}
