/* Numbers of 32 bits from other programs' buffers, and rows of them turned into the numbers of a table here.
 *
 * `given` are a row after the other: words, their occurrences, the rows' lengths, and what number each word has here.
 */
#ifndef NBMAIL_RENUMBERING_H
#define NBMAIL_RENUMBERING_H

#include "numbering.h"

static int32_t integer_at(const Py_buffer *buffer, Py_ssize_t place)
{
    int32_t found;
    memcpy(&found, (const char *)buffer->buf + place * (Py_ssize_t)sizeof(found), sizeof(found));
    return found;
}

/* Bytes for so many whole numbers of 32 bits. */
static PyObject *integers(Py_ssize_t count, int32_t **first)
{
    PyObject *made = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    *first = made ? (int32_t *)PyBytes_AS_STRING(made) : NULL;
    return made;
}

/* One row into this table's numbers, sorted behind what was met and not taken; how many are left, -1 with an exception
 * set. */
static int64_t renumber(WordTable *table, const Py_buffer given[4], Py_ssize_t start, Py_ssize_t count)
{
    Py_ssize_t numbers = given[3].len / (Py_ssize_t)sizeof(int32_t);
    const uint32_t before = table->met_count;
    Py_ssize_t place = start;
    for (; place < start + count; place++) {
        int32_t theirs = integer_at(&given[0], place);
        if (theirs < 0 || theirs >= numbers) {
            PyErr_SetString(PyExc_ValueError, "a number that was not sent");
            break;
        }
        int32_t ours = integer_at(&given[3], theirs);
        if (ours >= 0 && meet_item(table, (uint64_t)ours << 32 | (uint32_t)integer_at(&given[1], place)) < 0)
            break;
    }
    const int failed = place < start + count;
    const uint32_t left = table->met_count - before;
    uint64_t *row = table->met + before;
    table->met_count = before;
    return failed || sort_by_number(row, left, bits_of(row, left)) < 0 ? -1 : (int64_t)left;
}

/* All rows; how many numbers are left, -1 with an exception set. */
static int64_t renumber_all(WordTable *table, const Py_buffer given[4], int32_t *columns[3])
{
    Py_ssize_t rows = given[2].len / (Py_ssize_t)sizeof(int32_t), start = 0;
    int64_t done = 0;
    Py_ssize_t total = given[0].len / (Py_ssize_t)sizeof(int32_t);
    for (Py_ssize_t row = 0; row < rows; row++) {
        int32_t count = integer_at(&given[2], row);
        if (count < 0 || count > total - start || given[1].len != given[0].len) {
            PyErr_SetString(PyExc_ValueError, "rows of other lengths than their words");
            return -1;
        }
        int64_t left = renumber(table, given, start, count);
        if (left < 0)
            return -1;
        const uint64_t *met = table->met + table->met_count;
        for (int64_t place = 0; place < left; place++, done++) {
            columns[0][done] = (int32_t)(met[place] >> 32);
            columns[1][done] = (int32_t)(met[place] & 0xffffffffu);
        }
        columns[2][row] = (int32_t)left;
        start += count;
    }
    return done;
}

#endif
