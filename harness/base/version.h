/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The version, from the file VERSION by way of the Makefile. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define VERSION_QUOTE_(x) #x
#define VERSION_QUOTE(x) VERSION_QUOTE_(x)
#define VERSION_TEXT VERSION_QUOTE(VERSION)

#endif
