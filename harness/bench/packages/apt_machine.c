/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine's apt is set up with. */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/packages/apt_parts.h"
#include "bench/packages/apt_sources.h"

static const uint64_t ask_limit_ns = 30 * NUM_NS_PER_S;

static int ask(const char *const *argv, char **out)
{
	const struct proc_spec spec = { .argv = argv };
	int status = 0;
	int ret = proc_capture(&spec, ask_limit_ns, out, &status);

	if (ret == -ENOENT)
		return refuse(-ENOTSUP,
			      "no %s here: packages are fetched by "
			      "the apt of a Debian system",
			      argv[0]);
	if (ret)
		return fail(ret, "run %s", argv[0]);
	if (status) {
		auto_free char *how = proc_status_text(status);

		free(*out);
		*out = NULL;
		refuse(-EIO, "%s %s", argv[0], how);
		return -EIO;
	}
	return 0;
}

int apt_own_arch(char **arch)
{
	static const char *const argv[] = { "dpkg", "--print-architecture",
					    NULL };
	auto_free char *text = NULL;
	int ret = ask(argv, &text);

	if (!ret)
		*arch = xstrdup(str_trim(text));
	return ret;
}

/* NAME='value' as apt-config shell prints it; "" if it is not there. */
static char *shell_value(const char *text, const char *name)
{
	auto_free char *start = xasprintf("%s='", name);
	const char *p = strstr(text, start);

	if (!p)
		return xstrdup("");
	p += strlen(start);
	return xstrndup(p, strcspn(p, "'"));
}

static int add_file(const char *path, struct deb822 *out)
{
	auto_free char *text = NULL;
	int ret = file_read(path, &text, NULL);

	/* As apt does. */
	if (ret == -ENOENT || ret == -EISDIR)
		return 0;
	if (!ret)
		ret = apt_sources_parse(path, text, out);
	return ret ? fail(ret, "read %s", path) : 0;
}

static int add_folder(const char *dir, struct deb822 *out)
{
	auto_free char *pattern = xasprintf("%s/*.{list,sources}", dir);
	glob_t found;
	int ret = 0;

	if (glob(pattern, GLOB_BRACE, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc && !ret; i++)
		ret = add_file(found.gl_pathv[i], out);
	globfree(&found);
	return ret;
}

int apt_machine_sources(struct deb822 *out)
{
	static const char *const argv[] = {
		"apt-config", "shell",
		"file",       "Dir::Etc::sourcelist/f",
		"parts",      "Dir::Etc::sourceparts/d",
		NULL,
	};
	auto_free char *text = NULL;
	auto_free char *file = NULL;
	auto_free char *parts = NULL;
	int ret = ask(argv, &text);

	*out = (struct deb822){ 0 };
	if (ret)
		return ret;
	file = shell_value(text, "file");
	parts = shell_value(text, "parts");
	ret = file[0] ? add_file(file, out) : 0;
	if (!ret && parts[0])
		ret = add_folder(parts, out);
	if (ret)
		deb822_free(out);
	return ret;
}

char *apt_machine_codename(void)
{
	static const char key[] = "\nVERSION_CODENAME=";
	auto_free char *text = NULL;
	const char *p;

	if (file_read("/etc/os-release", &text, NULL))
		return xstrdup("");
	p = strstr(text, key);
	if (!p)
		return xstrdup("");
	p += strlen(key);
	p += *p == '"';
	return xstrndup(p, strcspn(p, "\"\n"));
}

/* "/usr/share/keyrings" of the first file that the entry names; NULL. */
static char *keyring_folder(const struct facts *entry)
{
	const char *path = facts_get(entry, "signed-by");
	auto_free char *first = xstrndup(path, strcspn(path, " "));
	char *slash = strrchr(first, '/');

	if (first[0] != '/')
		return NULL;
	*slash = '\0';
	return xstrdup(first);
}

char *apt_keyrings_beside(const struct facts *entry, const char *suite)
{
	static const char *const ends[] = { "gpg", "asc", "pgp" };
	auto_free char *dir = keyring_folder(entry);
	struct str list = { 0 };

	for (size_t e = 0; dir && e < ARRAY_SIZE(ends); e++) {
		auto_free char *pattern =
			xasprintf("%s/*-%.*s-*.%s", dir,
				  (int)strcspn(suite, "-"), suite, ends[e]);
		glob_t found;

		if (glob(pattern, 0, NULL, &found))
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++)
			str_addf(&list, "%s%s", list.len ? " " : "",
				 found.gl_pathv[i]);
		globfree(&found);
	}
	return str_steal(&list);
}

bool deb_is_installed(const char *name)
{
	const char *argv[] = { "dpkg-query", "-W",
			       "-f",         "${db:Status-Abbrev}\n",
			       name,         NULL };
	const struct proc_spec spec = { .argv = argv };
	auto_free char *text = NULL;
	int status;

	if (proc_capture(&spec, ask_limit_ns, &text, &status))
		return false;
	/* A line for each architecture. */
	return str_starts(text, "ii") || strstr(text, "\nii");
}
