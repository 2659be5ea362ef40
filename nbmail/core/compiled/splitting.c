/* The steps of reading mail in which every byte is looked at once more than Python does fast: the lines of a header
 * block, the tags of a page, what a text is made of, and the web addresses in it.
 *
 * Each does what the Python beside its call does, on text of characters below U+0100, and answers None for any other,
 * which is left to Python; the tests hold both to equal results. All work is linear, nothing recurses, and what is
 * written is never longer than what was read.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#define VERSION 2
#define SHARES_CAP 4096
#define LONGEST_ADDRESS 500

static PyObject *string_of(const unsigned char *text, Py_ssize_t size)
{
    return PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, text, size);
}

static int is_narrow(PyObject *text)
{
    return PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND;
}

static const unsigned char *find(const unsigned char *text, const unsigned char *stop, const char *mark, size_t length)
{
    while (text < stop && (text = memchr(text, mark[0], (size_t)(stop - text)))) {
        if ((size_t)(stop - text) < length)
            return NULL;
        if (!memcmp(text, mark, length))
            return text;
        text++;
    }
    return NULL;
}

/* ---- headers ---- */

/* Copies one line without its folds, each with a space in place of two characters; where the next line begins. */
static const unsigned char *unfold(const unsigned char *from, const unsigned char *stop, unsigned char *line,
                                   Py_ssize_t *size)
{
    *size = 0;
    for (;;) {
        const unsigned char *end = memchr(from, '\n', (size_t)(stop - from));
        size_t piece = (size_t)((end ? end : stop) - from);
        memcpy(line + *size, from, piece);
        *size += (Py_ssize_t)piece;
        if (!end)
            return NULL;
        from = end + 1;
        if (from == stop || (*from != ' ' && *from != '\t'))
            return from;
        line[(*size)++] = ' ';
        from++;
    }
}

/* A name and a value; NULL without an exception if the line is no header. */
static PyObject *header_of(PyObject *names, const unsigned char *line, Py_ssize_t size)
{
    const unsigned char *colon = memchr(line, ':', (size_t)size);
    if (!colon)
        return NULL;
    PyObject *written = string_of(line, colon - line);
    PyObject *name = written ? PyObject_GetItem(names, written) : NULL;
    Py_XDECREF(written);
    int named = name ? PyObject_IsTrue(name) : -1;
    if (named < 1) {
        Py_XDECREF(name);
        return NULL;
    }
    const unsigned char *begin = colon + 1, *end = line + size;
    while (begin < end && Py_UNICODE_ISSPACE(*begin))
        begin++;
    while (begin < end && Py_UNICODE_ISSPACE(end[-1]))
        end--;
    PyObject *value = string_of(begin, end - begin);
    PyObject *header = value ? PyTuple_Pack(2, name, value) : NULL;
    Py_DECREF(name);
    Py_XDECREF(value);
    return header;
}

/* All headers of a block, at most so many; NULL without an exception if a line is none. */
static PyObject *headers_of(PyObject *text, PyObject *names, Py_ssize_t most, unsigned char *line)
{
    const unsigned char *from = PyUnicode_1BYTE_DATA(text), *stop = from + PyUnicode_GET_LENGTH(text);
    PyObject *found = PyList_New(0);
    while (found && from && PyList_GET_SIZE(found) < most) {
        Py_ssize_t size;
        from = unfold(from, stop, line, &size);
        PyObject *header = header_of(names, line, size);
        if (!header || PyList_Append(found, header) < 0)
            Py_CLEAR(found);
        Py_XDECREF(header);
    }
    return found;
}

PyDoc_STRVAR(split_headers_doc, "Names and values of at most so many headers; None if a line is none, or not Western.");
static PyObject *split_headers(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *text, *names;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(arguments, "UOn", &text, &names, &most))
        return NULL;
    if (!is_narrow(text))
        Py_RETURN_NONE;
    unsigned char *line = PyMem_Malloc((size_t)PyUnicode_GET_LENGTH(text) + 1);
    if (!line)
        return PyErr_NoMemory();
    PyObject *found = headers_of(text, names, most, line);
    PyMem_Free(line);
    if (!found && !PyErr_Occurred())
        Py_RETURN_NONE;
    return found;
}

/* ---- pages ---- */

typedef struct {
    PyObject *tags; /* What each tag means: a tuple that begins with what the tag leaves between the text around it. */
    PyObject *met; /* The same for the tags of this page, in their order. */
    PyObject *shown; /* Texts that name a web address, each with the tag before it. */
    PyObject *last; /* The tag before; held by `met`. */
    unsigned char *text; /* What a person sees. */
    Py_ssize_t size;
} Page;

static int show(Page *page, const unsigned char *text, Py_ssize_t size)
{
    memcpy(page->text + page->size, text, (size_t)size);
    page->size += size;
    if (!page->last || !(find(text, text + size, "://", 3) || find(text, text + size, "www.", 4)))
        return 0;
    PyObject *piece = string_of(text, size);
    PyObject *pair = piece ? PyTuple_Pack(2, page->last, piece) : NULL;
    int done = pair ? PyList_Append(page->shown, pair) : -1;
    Py_XDECREF(piece);
    Py_XDECREF(pair);
    return done;
}

/* Looks the tag up: in this page, then in all that are known. */
static int meet_tag(Page *page, const unsigned char *written, Py_ssize_t size)
{
    PyObject *key = string_of(written, size);
    PyObject *tag = key ? PyDict_GetItemWithError(page->met, key) : NULL;
    if (key && !tag && !PyErr_Occurred()) {
        PyObject *made = PyObject_GetItem(page->tags, key);
        if (made && PyTuple_Check(made) && PyTuple_GET_SIZE(made) && PyDict_SetItem(page->met, key, made) == 0)
            tag = made;
        else if (made && !PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a tag's meaning is a tuple");
        Py_XDECREF(made);
    }
    Py_XDECREF(key);
    page->last = tag;
    return tag ? 0 : -1;
}

/* Writes what the tag leaves: at most one character, so that the text stays shorter than its source. */
static int part(Page *page)
{
    PyObject *separator = PyTuple_GET_ITEM(page->last, 0);
    if (!PyUnicode_Check(separator) || !PyUnicode_IS_ASCII(separator) || PyUnicode_GET_LENGTH(separator) > 1) {
        PyErr_SetString(PyExc_ValueError, "a tag leaves one character, or none");
        return -1;
    }
    if (PyUnicode_GET_LENGTH(separator))
        page->text[page->size++] = PyUnicode_1BYTE_DATA(separator)[0];
    return 0;
}

static int opens(unsigned char sign)
{
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || sign == '/' || sign == '!' || sign == '?';
}

/* The next tag from here on: where it begins, behind its bracket, and where it ends, at the other; NULL for none. */
static const unsigned char *find_tag(const unsigned char *from, const unsigned char *stop, const unsigned char **end)
{
    while (from < stop && (from = memchr(from, '<', (size_t)(stop - from)))) {
        if (++from == stop || !opens(*from))
            continue;
        *end = from + 1;
        while (*end < stop && **end != '<' && **end != '>')
            ++*end;
        if (*end < stop && **end == '>')
            return from;
        from = *end;
    }
    return NULL;
}

/* How many tags; behind so many nothing is read. -1 with an exception set. */
static Py_ssize_t strip(Page *page, const unsigned char *from, const unsigned char *stop, Py_ssize_t most)
{
    Py_ssize_t count = 0;
    const unsigned char *tag, *end;
    while (count < most && (tag = find_tag(from, stop, &end))) {
        if (show(page, from, tag - 1 - from) < 0 || meet_tag(page, tag, end - tag) < 0 || part(page) < 0)
            return -1;
        from = end + 1;
        count++;
    }
    if (count < most && show(page, from, stop - from) < 0)
        return -1;
    return count;
}

PyDoc_STRVAR(strip_tags_doc, "The text without its tags, what those mean, how many they are, and texts that show "
                             "addresses, each with the tag before it. None if the text is not Western.");
static PyObject *strip_tags(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *source, *tags, *made = NULL;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(arguments, "UOn", &source, &tags, &most))
        return NULL;
    if (!is_narrow(source))
        Py_RETURN_NONE;
    const unsigned char *from = PyUnicode_1BYTE_DATA(source), *stop = from + PyUnicode_GET_LENGTH(source);
    Page page = {.tags = tags, .met = PyDict_New(), .shown = PyList_New(0)};
    page.text = PyMem_Malloc((size_t)(stop - from) + 1);
    if (!page.text)
        PyErr_NoMemory();
    if (page.met && page.shown && page.text) {
        Py_ssize_t count = strip(&page, from, stop, most);
        PyObject *text = count < 0 ? NULL : string_of(page.text, page.size);
        if (text)
            made = Py_BuildValue("NOnO", text, page.met, count, page.shown);
    }
    PyMem_Free(page.text);
    Py_XDECREF(page.met);
    Py_XDECREF(page.shown);
    return made;
}

/* ---- texts ---- */

static int is_around(unsigned char sign)
{
    return Py_UNICODE_ISSPACE(sign) || memchr("<>\"')]", sign, 6);
}

/* Adds the addresses that begin with this mark: each ends at the next mark, but behind so many no mark is looked for. */
static int add_addresses(PyObject *found, PyObject *text, const char *mark, const char *begin, Py_ssize_t most)
{
    const unsigned char *before = PyUnicode_1BYTE_DATA(text), *stop = before + PyUnicode_GET_LENGTH(text);
    size_t length = strlen(mark), known = strlen(begin);
    const unsigned char *next, *hit = find(before, stop, mark, length);
    unsigned char address[LONGEST_ADDRESS + 16];
    memcpy(address, begin, known);
    for (Py_ssize_t left = most; hit && left > 0; left--, hit = next) {
        const unsigned char *from = hit + length, *end = from;
        next = left > 1 ? find(from, stop, mark, length) : NULL;
        const unsigned char *last = next ? next : stop;
        while (end < last && end - from < LONGEST_ADDRESS && !is_around(*end))
            end++;
        int told = mark[0] == 'w' && hit - before >= 3 && !memcmp(hit - 3, "://", 3);
        before = from;
        if (told || end == from)
            continue;
        memcpy(address + known, from, (size_t)(end - from));
        PyObject *made = string_of(address, (Py_ssize_t)known + (end - from));
        int done = made ? PyList_Append(found, made) : -1;
        Py_XDECREF(made);
        if (done < 0)
            return -1;
    }
    return 0;
}

PyDoc_STRVAR(find_addresses_doc, "Web addresses written out, at most so many of each kind; None if it is not Western.");
static PyObject *find_addresses(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *text;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(arguments, "Un", &text, &most))
        return NULL;
    if (!is_narrow(text))
        Py_RETURN_NONE;
    PyObject *found = PyList_New(0);
    if (found && (add_addresses(found, text, "://", "http://", most) < 0 ||
                  add_addresses(found, text, "www.", "http://www.", most) < 0))
        Py_CLEAR(found);
    return found;
}

PyDoc_STRVAR(weigh_text_doc, "How many lines quote; and per mille of the beginning's bytes capitals, digits, "
                             "exclamation marks and what is beyond ASCII. None if the text is not Western.");
static PyObject *weigh_text(PyObject *Py_UNUSED(module), PyObject *text)
{
    if (!PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError, "not a text");
    if (!is_narrow(text))
        Py_RETURN_NONE;
    const unsigned char *data = PyUnicode_1BYTE_DATA(text), *stop = data + PyUnicode_GET_LENGTH(text);
    Py_ssize_t quoted = 0, capitals = 0, digits = 0, exclamations = 0, foreign = 0;
    Py_ssize_t size = stop - data < SHARES_CAP ? stop - data : SHARES_CAP;
    for (Py_ssize_t place = 0; place < size; place++) {
        capitals += data[place] >= 'A' && data[place] <= 'Z';
        digits += data[place] >= '0' && data[place] <= '9';
        exclamations += data[place] == '!';
        foreign += data[place] >= 0x80;
    }
    while (data < stop && (data = memchr(data, '\n', (size_t)(stop - data))))
        quoted += ++data < stop && *data == '>';
    /* In UTF-8 each of the foreign ones has two bytes. */
    Py_ssize_t bytes = size + foreign ? size + foreign : 1;
    return Py_BuildValue("nnnnn", quoted, 1000 * capitals / bytes, 1000 * digits / bytes, 1000 * exclamations / bytes,
                         2000 * foreign / bytes);
}

/* ---- the module ---- */

static PyMethodDef functions[] = {
    {"split_headers", split_headers, METH_VARARGS, split_headers_doc},
    {"strip_tags", strip_tags, METH_VARARGS, strip_tags_doc},
    {"find_addresses", find_addresses, METH_VARARGS, find_addresses_doc},
    {"weigh_text", weigh_text, METH_O, weigh_text_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "splitting", .m_size = 0, .m_methods = functions};

PyMODINIT_FUNC PyInit_splitting(void)
{
    PyObject *made = PyModule_Create(&module);
    if (made && PyModule_AddIntConstant(made, "VERSION", VERSION) < 0)
        Py_CLEAR(made);
    return made;
}
