/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/statm.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"

int statm_parse(const char *text, struct statm *out)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t pages[3]; /* size, resident, shared */

	for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
		if (num_scan_u64(&text, &pages[i]))
			return -EPROTO;
	if (pages[1] > pages[0] || pages[2] > pages[1] ||
	    pages[1] > UINT64_MAX / page)
		return -EPROTO;
	out->resident_bytes = pages[1] * page;
	out->shared_bytes = pages[2] * page;
	return 0;
}

static uint64_t own_resident(int fd)
{
	char text[256];
	struct statm statm;
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return 0;
	text[got] = '\0';
	return statm_parse(text, &statm) ? 0 : statm.resident_bytes;
}

/* Batches hold 32 pages at the least: of so few, two cannot be the last. */
enum { PAGES_TO_TOUCH = 8 };

bool statm_is_exact(void)
{
	auto_close int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = PAGES_TO_TOUCH * page;
	volatile char *at = NULL;
	uint64_t before;
	int seen = 0;

	if (fd < 0)
		return false;
	before = own_resident(fd); /* whatever else it needs is there now */
	at = mmap(NULL, size, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return false;
	madvise((void *)at, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES_TO_TOUCH; i++) {
		uint64_t after;

		at[i * page] = 1;
		after = own_resident(fd);
		seen += after >= before + page;
		before = after;
	}
	munmap((void *)at, size);
	return seen == PAGES_TO_TOUCH;
}
