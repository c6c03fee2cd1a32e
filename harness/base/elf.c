/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"

/* Headers and the loader's name stand at the front of a file. */
enum { FRONT = 64 * 1024 };

static char *interp_at(const char *data, size_t n, const Elf64_Phdr *ph)
{
	if (ph->p_offset >= n || ph->p_filesz > n - ph->p_offset)
		return NULL;
	return xstrndup(data + ph->p_offset,
			strnlen(data + ph->p_offset, ph->p_filesz));
}

int elf_parse(const void *data, size_t n, struct elf *out)
{
	static const char ident[] = { ELFMAG0, ELFMAG1,    ELFMAG2,
				      ELFMAG3, ELFCLASS64, ELFDATA2LSB };
	Elf64_Ehdr head;

	*out = (struct elf){ 0 };
	if (n < sizeof(head) || memcmp(data, ident, sizeof(ident)) != 0)
		return -ENOEXEC;
	memcpy(&head, data, sizeof(head));
	out->machine = head.e_machine;
	for (unsigned int i = 0; i < head.e_phnum; i++) {
		uint64_t at = head.e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr ph;

		if (head.e_phoff >= n || at > n - sizeof(ph))
			return -ENOEXEC;
		memcpy(&ph, (const char *)data + at, sizeof(ph));
		if (ph.p_type != PT_INTERP)
			continue;
		out->interp = interp_at(data, n, &ph);
		return out->interp ? 0 : -ENOEXEC;
	}
	return 0;
}

int elf_read(const char *path, struct elf *out)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_free char *front = NULL;
	ssize_t got;

	*out = (struct elf){ 0 };
	if (fd < 0)
		return -errno;
	front = xmalloc(FRONT);
	got = pread(fd, front, FRONT, 0);
	return got < 0 ? -errno : elf_parse(front, (size_t)got, out);
}

void elf_free(struct elf *e)
{
	free(e->interp);
	*e = (struct elf){ 0 };
}

/* "\tlibc.so.6 => /lib/libc.so.6 (0x7f...)", "\t/lib/ld.so (0x...)" */
char *elf_parse_list(const char *text, char ***list, size_t *n)
{
	char *lost = NULL;

	for (const char *p = text; *p && !lost; p += *p == '\n') {
		size_t len = strcspn(p, "\n");
		auto_free char *copy = xstrndup(p, len);
		char *line = str_trim(copy);
		char *arrow = strstr(line, " => ");
		char *path = arrow ? arrow + strlen(" => ") : line;
		char *end = strstr(path, " (0x");

		p += len;
		if (arrow && str_starts(path, "not found"))
			lost = xstrndup(line, (size_t)(arrow - line));
		/* linux-vdso.so.1 is the kernel's: it has no path. */
		if (*path != '/' || !end)
			continue;
		XGROW(*list, *n);
		(*list)[(*n)++] = xstrndup(path, (size_t)(end - path));
	}
	return lost;
}

static int ask(const char *interp, const char *path, const char *lib_path,
	       char **text)
{
	auto_free char *libs =
		xasprintf("LD_LIBRARY_PATH=%s", lib_path ? lib_path : "");
	const char *const argv[] = { interp, "--list", path, NULL };
	const char *const env[] = { libs, NULL };
	struct proc_spec spec = { .argv = argv, .env = lib_path ? env : NULL };
	int wstatus;
	int ret = proc_capture(&spec, 30 * NUM_NS_PER_S, text, &wstatus);

	if (ret)
		return fail(ret, "run %s", interp);
	/* 127: a library is missing, and the text says which. */
	if (WIFEXITED(wstatus) &&
	    (!WEXITSTATUS(wstatus) || WEXITSTATUS(wstatus) == 127))
		return 0;
	return refuse(-EIO, "%s cannot tell the libraries of %s", interp, path);
}

int elf_libraries(const char *path, const char *lib_path, char ***list,
		  size_t *n)
{
	auto_free char *text = NULL;
	auto_free char *lost = NULL;
	struct elf elf;
	int ret = elf_read(path, &elf);

	*list = NULL;
	*n = 0;
	if (ret)
		ret = fail(ret, "%s", path);
	else if (elf.interp)
		ret = ask(elf.interp, path, lib_path, &text);
	elf_free(&elf);
	if (ret || !text)
		return ret;
	lost = elf_parse_list(text, list, n);
	return lost ? refuse(-ENOENT, "%s needs %s, which is not installed",
			     path, lost)
		    : 0;
}
