/* Table of words and their numbers, 0, 1, 2, ... in the order of first occurrence, and the words of one message.
 *
 * Words are split, hashed and counted without creating Python strings. `nbmail/core/words/word_table.py` is the same
 * in Python; tests compare the results. The GIL is held throughout.
 */
#include "link_words.h"

#define VERSION 6

/* ---- words as Python strings ---- */

typedef struct {
    const char *text;
    Py_ssize_t length;
    PyObject *held; /* Bytes to release, if the string isn't ASCII. */
} Utf8;

/* Get the UTF-8 form of a string. Lone surrogates, which wrong charsets produce, are encoded as well. */
static int utf8_of(PyObject *word, Utf8 *found)
{
    found->held = NULL;
    if (!PyUnicode_Check(word)) {
        PyErr_SetString(PyExc_TypeError, "a word is a string");
        return -1;
    }
    if (PyUnicode_IS_ASCII(word)) {
        found->text = (const char *)PyUnicode_1BYTE_DATA(word);
        found->length = PyUnicode_GET_LENGTH(word);
        return 0;
    }
    found->held = PyUnicode_AsEncodedString(word, "utf-8", "surrogatepass");
    if (!found->held)
        return -1;
    found->text = PyBytes_AS_STRING(found->held);
    found->length = PyBytes_GET_SIZE(found->held);
    return 0;
}

static PyObject *word_at(const WordTable *table, uint32_t number)
{
    const uint32_t *start = &table->starts[number];
    return PyUnicode_DecodeUTF8(table->text + start[0], (Py_ssize_t)(start[1] - start[0]), "surrogatepass");
}

/* Return the number of a string. -1 for a new one unless `growing`, and for an error with an exception set. */
static int64_t number_of_string(WordTable *table, PyObject *word, int growing)
{
    Utf8 found;
    if (utf8_of(word, &found) < 0)
        return -1;
    int64_t number = growing ? number_of(table, found.text, (size_t)found.length)
                             : known_number(table, found.text, (size_t)found.length);
    Py_XDECREF(found.held);
    return number;
}

static PyObject *numbers_of_strings(WordTable *table, PyObject *words, int growing)
{
    PyObject *all = PySequence_List(words);
    for (Py_ssize_t place = 0; all && place < PyList_GET_SIZE(all); place++) {
        int64_t number = number_of_string(table, PyList_GET_ITEM(all, place), growing);
        PyObject *made = number < 0 && PyErr_Occurred() ? NULL : PyLong_FromLongLong(number);
        if (!made || PyList_SetItem(all, place, made) < 0)
            Py_CLEAR(all);
    }
    return all;
}

PyDoc_STRVAR(numbers_of_doc, "Return the numbers of words. New words are added.");
static PyObject *numbers_of(WordTable *table, PyObject *words)
{
    return numbers_of_strings(table, words, 1);
}

PyDoc_STRVAR(known_numbers_of_doc, "Return the numbers of words, -1 for unknown ones.");
static PyObject *known_numbers_of(WordTable *table, PyObject *words)
{
    return numbers_of_strings(table, words, 0);
}

static Py_ssize_t length(WordTable *table)
{
    return table->count;
}

PyDoc_STRVAR(words_from_doc, "Return all words from this number on, in order.");
static PyObject *words_from(WordTable *table, PyObject *argument)
{
    Py_ssize_t first = PyNumber_AsSsize_t(argument, PyExc_IndexError);
    if (first == -1 && PyErr_Occurred())
        return NULL;
    if (first < 0 || first > table->count)
        return PyErr_Format(PyExc_IndexError, "no word has that number");
    PyObject *words = PyList_New(table->count - first);
    for (Py_ssize_t place = 0; words && place < PyList_GET_SIZE(words); place++) {
        PyObject *word = word_at(table, (uint32_t)(first + place));
        if (word)
            PyList_SET_ITEM(words, place, word);
        else
            Py_CLEAR(words);
    }
    return words;
}

PyDoc_STRVAR(word_doc, "Return the word with this number.");
static PyObject *word(WordTable *table, PyObject *argument)
{
    Py_ssize_t number = PyNumber_AsSsize_t(argument, PyExc_IndexError);
    if (number == -1 && PyErr_Occurred())
        return NULL;
    if (number < 0 || number >= table->count)
        return PyErr_Format(PyExc_IndexError, "no word has that number");
    return word_at(table, (uint32_t)number);
}

/* ---- the words of one message ---- */

PyDoc_STRVAR(begin_doc, "Start a message. Words that were added and not taken are dropped.");
static PyObject *begin(WordTable *table, PyObject *Py_UNUSED(nothing))
{
    table->met_count = 0;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(add_text_doc, "Add the words of a text of characters below U+0100. Return their number with the long ones.");
static PyObject *add_text(WordTable *table, PyObject *text)
{
    if (!PyUnicode_Check(text) || PyUnicode_KIND(text) != PyUnicode_1BYTE_KIND)
        return PyErr_Format(PyExc_ValueError, "not a text of characters below U+0100");
    Py_ssize_t words = meet_text(table, PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text));
    return words < 0 ? NULL : PyLong_FromSsize_t(words);
}

PyDoc_STRVAR(add_words_doc, "Add words, except for long ones.");
static PyObject *add_words(WordTable *table, PyObject *words)
{
    PyObject *all = PySequence_Fast(words, "words come in a sequence");
    for (Py_ssize_t place = 0; all && place < PySequence_Fast_GET_SIZE(all); place++) {
        PyObject *word = PySequence_Fast_GET_ITEM(all, place);
        Utf8 found = {0};
        Py_INCREF(word);
        if (utf8_of(word, &found) < 0 || (PyUnicode_GET_LENGTH(word) <= (Py_ssize_t)table->longest &&
                                          meet(table, found.text, (size_t)found.length) < 0))
            Py_CLEAR(all);
        Py_XDECREF(found.held);
        Py_DECREF(word);
    }
    if (!all)
        return NULL;
    Py_DECREF(all);
    Py_RETURN_NONE;
}

/* Add the words of one header: read here if it has a place and is ASCII, otherwise by `readers`. */
static int add_one_header(WordTable *table, PyObject *name, PyObject *value)
{
    PyObject *place = PyDict_GetItemWithError(table->places, name);
    const char *where = place && PyUnicode_IS_ASCII(value) ? PyUnicode_AsUTF8(place) : NULL;
    if (where)
        return add_header(table, where, (const char *)PyUnicode_1BYTE_DATA(value), PyUnicode_GET_LENGTH(value));
    PyObject *words = PyErr_Occurred() ? NULL : PyObject_GetItem(table->readers, name);
    if (words && !PyTuple_CheckExact(words)) {
        PyObject *reader = words, *start = PyUnicode_Substring(value, 0, VALUE_CAP);
        words = start ? PyObject_CallFunctionObjArgs(reader, name, start, NULL) : NULL;
        Py_DECREF(reader);
        Py_XDECREF(start);
    }
    PyObject *added = words ? add_words(table, words) : NULL;
    Py_XDECREF(words);
    Py_XDECREF(added);
    return added ? 0 : -1;
}

PyDoc_STRVAR(add_headers_doc, "Add the words of headers: a tuple of names and values.");
static PyObject *add_headers(WordTable *table, PyObject *headers)
{
    PyObject *name, *value, *lowest = NULL;
    if (!PyTuple_Check(headers))
        return PyErr_Format(PyExc_TypeError, "headers come in a tuple");
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(headers); at++) {
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(headers, at), "UU:add_headers", &name, &value) ||
            add_one_header(table, name, value) < 0)
            return NULL;
        if (PyUnicode_CompareWithASCIIString(name, "received") == 0)
            lowest = value;
    }
    name = lowest ? PyUnicode_FromString("lowest received") : NULL;
    const int failed = lowest && (!name || add_one_header(table, name, lowest) < 0);
    Py_XDECREF(name);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* Add the words of the target of a link, and its host to `hosts`. Long and other ones are read by `read_target`. */
static int add_one_link(WordTable *table, PyObject *link, PyObject *read_target, PyObject *hosts)
{
    char low[LONGEST_SERVER];
    PyObject *kind, *target, *found = NULL, *host = NULL, *words = NULL, *domain;
    if (!PyArg_ParseTuple(link, "UU:add_links", &kind, &target))
        return -1;
    const Py_ssize_t size = PyUnicode_GET_LENGTH(target);
    int done = 0;
    if (PyUnicode_IS_ASCII(target) && size < LONGEST_SERVER) {
        const char *text = (const char *)PyUnicode_1BYTE_DATA(target);
        const Py_ssize_t length = add_target(table, (Span){text, text + size}, low);
        host = length < 0 ? NULL : PyUnicode_FromStringAndSize(low, length);
    } else if ((found = PyObject_CallOneArg(read_target, target)) &&
               PyArg_ParseTuple(found, "UOO:add_links", &host, &domain, &words) && (words = add_words(table, words))) {
        Py_INCREF(host);
        Py_DECREF(words);
    } else {
        host = NULL;
    }
    done = host ? PySet_Add(hosts, host) : -1;
    if (done == 0 && PyUnicode_CompareWithASCIIString(kind, "elsewhere") == 0)
        done = MEET(table, span("link:elsewhere"));
    Py_XDECREF(found);
    Py_XDECREF(host);
    return done;
}

PyDoc_STRVAR(add_links_doc, "Add the words of the targets of links. Return the number of different hosts.");
static PyObject *add_links(WordTable *table, PyObject *arguments)
{
    PyObject *links, *read_target, *hosts = PySet_New(NULL), *made = NULL;
    if (hosts && PyArg_ParseTuple(arguments, "O!O:add_links", &PyList_Type, &links, &read_target)) {
        Py_ssize_t place = 0;
        while (place < PyList_GET_SIZE(links) &&
               add_one_link(table, PyList_GET_ITEM(links, place), read_target, hosts) == 0)
            place++;
        made = PyErr_Occurred() ? NULL : PyLong_FromSsize_t(PySet_Size(hosts));
    }
    Py_XDECREF(hosts);
    return made;
}

/* Create a bytes object for `count` integers of 32 bits. */
static PyObject *integers(Py_ssize_t count, int32_t **first)
{
    PyObject *made = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    *first = made ? (int32_t *)PyBytes_AS_STRING(made) : NULL;
    return made;
}

PyDoc_STRVAR(take_doc, "Return the sorted numbers of the message and their occurrences, as 32-bit integers.");
static PyObject *take(WordTable *table, PyObject *Py_UNUSED(nothing))
{
    const uint64_t *met = table->met;
    uint32_t count = table->met_count, different = 0;
    if (sort_by_number(table->met, count, bits_of(met, count)) < 0)
        return NULL;
    for (uint32_t place = 0; place < count; place++)
        different += place == 0 || met[place] != met[place - 1];
    int32_t *words = NULL, *occurrences = NULL;
    PyObject *first = integers(different, &words), *second = integers(different, &occurrences);
    if (!first || !second) {
        Py_XDECREF(first);
        Py_XDECREF(second);
        return NULL;
    }
    int32_t last = -1;
    for (uint32_t place = 0; place < count; place++) {
        if (place == 0 || met[place] != met[place - 1]) {
            words[++last] = (int32_t)(met[place] >> 32);
            occurrences[last] = 0;
        }
        occurrences[last]++;
    }
    table->met_count = 0;
    return Py_BuildValue("NN", first, second);
}

/* ---- the module ---- */

static PyMethodDef methods[] = {
    {"numbers_of", (PyCFunction)numbers_of, METH_O, numbers_of_doc},
    {"known_numbers_of", (PyCFunction)known_numbers_of, METH_O, known_numbers_of_doc},
    {"word", (PyCFunction)word, METH_O, word_doc},
    {"words_from", (PyCFunction)words_from, METH_O, words_from_doc},
    {"begin", (PyCFunction)begin, METH_NOARGS, begin_doc},
    {"add_text", (PyCFunction)add_text, METH_O, add_text_doc},
    {"add_words", (PyCFunction)add_words, METH_O, add_words_doc},
    {"add_headers", (PyCFunction)add_headers, METH_O, add_headers_doc},
    {"add_links", (PyCFunction)add_links, METH_VARARGS, add_links_doc},
    {"take", (PyCFunction)take, METH_NOARGS, take_doc},
    {NULL, NULL, 0, NULL},
};

static void deallocate(WordTable *table)
{
    PyMem_Free(table->text);
    PyMem_Free(table->starts);
    PyMem_Free(table->slots);
    PyMem_Free(table->met);
    Py_XDECREF(table->readers);
    Py_XDECREF(table->places);
    Py_TYPE(table)->tp_free((PyObject *)table);
}

/* Derive the key from Python's string hash, which has a random key in each process. */
static int draw_secret(WordTable *table)
{
    static const char *const names[] = {"the first half", "the second half"};
    for (int half = 0; half < 2; half++) {
        PyObject *name = PyUnicode_FromString(names[half]);
        Py_hash_t drawn = name ? PyObject_Hash(name) : -1;
        Py_XDECREF(name);
        if (drawn == -1)
            return -1;
        table->secret[half] = (uint64_t)drawn;
    }
    return 0;
}

static int make_room(WordTable *table)
{
    void *text = with_room(NULL, &table->text_room, 1, 1, MOST_BYTES);
    table->text = text;
    table->starts = text ? with_room(NULL, &table->room, 1, sizeof(uint32_t), MOST_WORDS) : NULL;
    table->met = table->starts ? with_room(NULL, &table->met_room, 1, sizeof(uint64_t), MOST_WORDS) : NULL;
    if (!table->met)
        return -1;
    table->starts[0] = 0;
    return spread(table, FIRST_SLOTS);
}

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(named))
{
    const char *byte_map;
    Py_ssize_t size;
    unsigned int longest;
    PyObject *readers, *places;
    if (!PyArg_ParseTuple(arguments, "y#IO!O!:WordTable", &byte_map, &size, &longest, &PyDict_Type, &readers,
                          &PyDict_Type, &places))
        return NULL;
    if (size != 256 || longest > LONGEST_POSSIBLE)
        return PyErr_Format(PyExc_ValueError, "a table of 256 bytes, and at most %d characters", LONGEST_POSSIBLE);
    WordTable *table = (WordTable *)type->tp_alloc(type, 0);
    if (table && (draw_secret(table) < 0 || make_room(table) < 0))
        Py_CLEAR(table);
    if (table) {
        memcpy(table->byte_map, byte_map, 256);
        table->longest = longest;
        table->readers = Py_NewRef(readers);
        table->places = Py_NewRef(places);
    }
    return (PyObject *)table;
}

static PySequenceMethods as_sequence = {.sq_length = (lenfunc)length};

static PyTypeObject type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "nbmail.core.compiled.wordtable.WordTable",
    .tp_doc = PyDoc_STR("WordTable(byte_map, longest, readers, places): words and their numbers."),
    .tp_basicsize = sizeof(WordTable),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = make,
    .tp_dealloc = (destructor)deallocate,
    .tp_methods = methods,
    .tp_as_sequence = &as_sequence,
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "wordtable", .m_size = -1};

PyMODINIT_FUNC PyInit_wordtable(void)
{
    if (PyType_Ready(&type) < 0)
        return NULL;
    PyObject *made = PyModule_Create(&module);
    Py_INCREF(&type);
    if (made && (PyModule_AddIntConstant(made, "VERSION", VERSION) < 0 ||
                 PyModule_AddObject(made, "WordTable", (PyObject *)&type) < 0))
        Py_CLEAR(made);
    return made;
}
