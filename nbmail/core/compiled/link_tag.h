/* Meaning of the usual tags of links and pictures for `pages.c`, as `_read_tag` of `part_text.py` returns it. */
#ifndef NBMAIL_LINK_TAG_H
#define NBMAIL_LINK_TAG_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#define LONGEST_LINK 600
#define LONGEST_TARGET 500

static int is_blank(char each) { return each == ' ' || (each >= 9 && each <= 13) || (each >= 0x1c && each <= 0x1f); }
static int is_word(char each) { return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '_'; }

/* Return the length of the first of these words that `text` begins with, 0 if it begins with none. */
static size_t begins_with(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (*text == **words && !strncmp(text, *words, strlen(*words)))
            return strlen(*words);
    return 0;
}

/* Return the length of the value of an attribute behind its name, and where it begins. */
static size_t value_behind(const char **text)
{
    const char *begin = *text;
    while (is_blank(*begin))
        begin++;
    if (*begin++ != '=')
        return 0;
    while (is_blank(*begin) || *begin == '"' || *begin == '\'')
        begin++;
    const char *end = begin;
    while (*end && !is_blank(*end) && *end != '"' && *end != '\'' && end - begin < LONGEST_TARGET)
        end++;
    *text = begin;
    return (size_t)(end - begin);
}

/* Return a new meaning, or NULL without an exception for a tag that Python must read: all but short links to a target,
 * without style, color or references. */
static PyObject *read_link(PyObject *written)
{
    static const char *const effects[] = {"style", "color", "background", "hidden", "text", NULL};
    static const char *const targets[] = {"href", "src", "action", NULL};
    const Py_ssize_t length = PyUnicode_GET_LENGTH(written);
    if (!PyUnicode_IS_ASCII(written) || length >= LONGEST_LINK)
        return NULL;
    const char *text = (const char *)PyUnicode_1BYTE_DATA(written), *begin = NULL;
    char low[LONGEST_LINK + 1];
    for (Py_ssize_t at = 0; at <= length; at++)
        low[at] = text[at] >= 'A' && text[at] <= 'Z' ? (char)(text[at] + 32) : text[at];
    const int is_picture = !strncmp(low, "img", 3);
    const char *attributes = low + (is_picture ? 4 : 2);
    if ((!is_picture && *low != 'a') || (attributes[-1] != ' ' && attributes[-1] != '\n') || strlen(low) != (size_t)length)
        return NULL;
    size_t size = 0, name;
    for (const char *at = attributes; *at; at++) {
        if (begins_with(at, effects))
            return NULL;
        if (!size && (at == attributes || !is_word(at[-1])) && (name = begins_with(at, targets))) {
            begin = at + name;
            size = value_behind(&begin);
        }
    }
    if (!size || memchr(begin, '&', size))
        return NULL;
    return Py_BuildValue("sss#OO", is_picture ? " " : "", is_picture ? "img" : "a", text + (begin - low), (Py_ssize_t)size,
                         Py_False, Py_None);
}

#endif
