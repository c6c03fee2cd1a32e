/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * <dir>/SUITE-ARCH/apt.conf      read by apt behind the machine's own
 *                  sources/      the machine's, with the suite changed
 *                  state/ cache/ apt's lists and what it makes of them
 *                  log           what apt said on stderr
 */
#include "bench/packages/apt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/packages/apt_parts.h"
#include "bench/packages/apt_sources.h"

static const uint64_t update_limit_ns = 300 * NUM_NS_PER_S;
static const uint64_t show_limit_ns = 60 * NUM_NS_PER_S;

/*
 * The machine's hooks are for its own lists; its pins for what it installs.
 */
static const char conf_form[] =
	"#clear APT::Architectures;\n"
	"#clear APT::Update::Pre-Invoke;\n"
	"#clear APT::Update::Post-Invoke;\n"
	"#clear APT::Update::Post-Invoke-Success;\n"
	"#clear APT::Default-Release;\n"
	"APT::Architecture \"%s\";\n"
	"APT::Architectures \"%s\";\n"
	"APT::Update::Error-Mode \"any\";\n"
	"APT::Get::AllowUnauthenticated \"false\";\n"
	"Acquire::AllowInsecureRepositories \"false\";\n"
	"Acquire::Languages \"none\";\n"
	"Acquire::Retries \"1\";\n"
	"Acquire::http::Timeout \"20\";\n"
	"Acquire::https::Timeout \"20\";\n"
	"Dir::State \"%s/state\";\n"
	"Dir::State::status \"/dev/null\";\n"
	"Dir::Cache \"%s/cache\";\n"
	"Dir::Cache::pkgcache \"pkgcache.bin\";\n"
	"Dir::Cache::srcpkgcache \"srcpkgcache.bin\";\n"
	"Dir::Etc::sourcelist \"/dev/null\";\n"
	"Dir::Etc::sourceparts \"%s/sources\";\n"
	"Dir::Etc::preferences \"/dev/null\";\n"
	"Dir::Etc::preferencesparts \"/dev/null\";\n";

static int make_folders(const struct apt *apt)
{
	static const char *const below[] = {
		"sources",
		"state/lists/partial",
		"cache/archives/partial",
	};

	for (size_t i = 0; i < ARRAY_SIZE(below); i++) {
		auto_free char *path = xasprintf("%s/%s", apt->dir, below[i]);
		int ret = file_mkdirs(path);

		if (ret)
			return fail(ret, "make %s", path);
	}
	return 0;
}

static int write_conf(const struct apt *apt)
{
	auto_free char *text = xasprintf(conf_form, apt->arch, apt->arch,
					 apt->dir, apt->dir, apt->dir);
	int ret = file_publish(apt->conf, text);

	return ret ? fail(ret, "write %s", apt->conf) : 0;
}

static void add_source(struct str *out, const struct facts *entry,
		       const char *suite)
{
	auto_free char *keyrings = apt_keyrings_beside(entry, suite);
	auto_free char *text = apt_source_text(entry, suite, keyrings);

	str_addf(out, "%s\n", text);
}

/* The suite from this entry, and its fixes from where the machine has those. */
static int write_sources(const struct apt *apt, const struct facts *entry,
			 const struct facts *security)
{
	auto_free char *path = xasprintf("%s/sources/suite.sources", apt->dir);
	auto_str struct str text = { 0 };
	int ret;

	add_source(&text, entry, apt->suite);
	if (security && apt_suite_kind(apt->suite).has_security) {
		auto_free char *fixes = xasprintf("%s-security", apt->suite);

		add_source(&text, security, fixes);
	}
	ret = file_publish(path, text.text);
	return ret ? fail(ret, "write %s", path) : 0;
}

static char *log_path(const struct apt *apt)
{
	return xasprintf("%s/log", apt->dir);
}

static int say_why(const struct apt *apt)
{
	auto_free char *path = log_path(apt);
	auto_free char *text = NULL;
	auto_free char *why = NULL;

	if (file_read(path, &text, NULL))
		text = xstrdup("");
	why = apt_complaint(text);
	/* apt's own words for 404. */
	if (strstr(why, "does not have a Release file"))
		return refuse(-ENOENT,
			      "no suite %s where this machine gets its "
			      "packages: %s",
			      apt->suite, why);
	if (strstr(why, "NO_PUBKEY"))
		return refuse(-ENOTSUP,
			      "the signature of suite %s cannot be checked: "
			      "%s; install a newer debian-archive-keyring",
			      apt->suite, why);
	return refuse(-ENOTSUP, "the lists of suite %s cannot be had: %s",
		      apt->suite, why[0] ? why : "apt does not say why");
}

/* 0, or -EAGAIN (silent): apt says why in its log. */
static int update(const struct apt *apt)
{
	const char *argv[] = {
		"apt-get", "-q", "-c", apt->conf, "update", NULL
	};
	auto_free char *log = log_path(apt);
	const struct apt_call call = { .argv = argv,
				       .log = log,
				       .limit_ns = update_limit_ns };
	int ret = apt_call(&call, NULL);

	return ret > 0 ? -EAGAIN : ret;
}

static const struct facts *find_source(const struct deb822 *sources,
				       const char *codename,
				       enum apt_place place, size_t *from)
{
	for (; *from < sources->n; (*from)++)
		if (apt_source_is(&sources->list[*from], codename, place))
			return &sources->list[(*from)++];
	return NULL;
}

/*
 * Somebody else's packages may be named like the distribution's suites: the
 * first place that has what is asked for is taken.
 */
static int update_from(const struct apt *apt, const struct deb822 *sources)
{
	auto_free char *codename = apt_machine_codename();
	enum apt_place place = apt_suite_kind(apt->suite).place;
	const struct facts *security;
	const struct facts *entry;
	size_t first = 0;
	size_t i = 0;
	int ret = 1;

	security = find_source(sources, codename, APT_SECURITY, &first);
	while (ret && (entry = find_source(sources, codename, place, &i))) {
		ret = write_sources(apt, entry, security);
		if (!ret)
			ret = update(apt);
		if (ret < 0 && ret != -EAGAIN)
			return ret;
	}
	if (ret == 1)
		return refuse(-ENOTSUP,
			      "no source of packages of this machine has %s "
			      "suites of Debian",
			      place == APT_MAIN ? "the" : "security");
	return ret ? say_why(apt) : 0;
}

int apt_open(const char *dir, const char *suite, const char *arch,
	     void (*tell)(const char *what), struct apt *out)
{
	struct deb822 sources = { 0 };
	int ret;

	*out = (struct apt){
		.suite = xstrdup(suite),
		.arch = xstrdup(arch),
		.dir = xasprintf("%s/%s-%s", dir, suite, arch),
		.conf = xasprintf("%s/%s-%s/apt.conf", dir, suite, arch),
		.tell = tell,
	};
	apt_tell(out, "fetching the lists of %s, %s", suite, arch);
	ret = make_folders(out);
	if (!ret)
		ret = write_conf(out);
	if (!ret)
		ret = apt_machine_sources(&sources);
	if (!ret)
		ret = update_from(out, &sources);
	deb822_free(&sources);
	if (ret)
		apt_close(out);
	return ret;
}

void apt_close(struct apt *apt)
{
	free(apt->suite);
	free(apt->arch);
	free(apt->dir);
	free(apt->conf);
	*apt = (struct apt){ 0 };
}

/* What apt-cache prints; with nothing to print its status is no error. */
static int ask_cache(const struct apt *apt, const char *const *argv, char **out)
{
	auto_free char *log = log_path(apt);
	const struct apt_call call = { .argv = argv,
				       .log = log,
				       .limit_ns = show_limit_ns };
	int ret = apt_call(&call, out);

	if (ret > 0 && (*out)[0]) {
		free(*out);
		*out = NULL;
		return refuse(-EIO, "apt-cache ended with %d; it wrote %s", ret,
			      log);
	}
	return ret < 0 ? ret : 0;
}

int apt_names(const struct apt *apt, const char *prefix, struct facts *out)
{
	const char *argv[] = { "apt-cache", "-c",   apt->conf,
			       "pkgnames",  prefix, NULL };
	auto_free char *text = NULL;
	auto_free char **words = NULL;
	size_t n;
	int ret = ask_cache(apt, argv, &text);

	*out = (struct facts){ 0 };
	if (ret)
		return ret;
	words = str_split(text, ' ', &n);
	for (size_t i = 0; i < n; i++)
		facts_set(out, words[i], "");
	return 0;
}

int apt_show(const struct apt *apt, const char *const *names, size_t n,
	     struct deb822 *out)
{
	static const char *const start[] = { "apt-cache", "-c", NULL, "show",
					     "--no-all-versions" };
	size_t n_start = ARRAY_SIZE(start);
	auto_free const char **argv = xcalloc(n_start + n + 1, sizeof(*argv));
	auto_free char *text = NULL;
	int ret;

	memcpy(argv, start, sizeof(start));
	argv[2] = apt->conf;
	for (size_t i = 0; i < n; i++)
		argv[n_start + i] = names[i];
	ret = ask_cache(apt, argv, &text);
	*out = (struct deb822){ 0 };
	if (!ret) {
		ret = deb822_parse(text, out);
		if (ret)
			fail(ret, "the lists of suite %s", apt->suite);
	}
	return ret;
}
