/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel's configuration: /boot/config-*, /proc/config.gz unpacked. */
#ifndef KERN_KCONFIG_H
#define KERN_KCONFIG_H

/*
 * 'y', 'm', or 'n' for an option that is off or not there. name: without
 * CONFIG_. Other values than those count as 'y'.
 */
char kconfig_get(const char *text, const char *name);

#endif
