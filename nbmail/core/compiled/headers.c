/* Split a block of ASCII headers into names and values, as `_read_headers` of `nbmail/core/mail/headers.py` does. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#define VERSION 1

static int is_blank(char each) { return each == ' ' || (each >= 9 && each <= 13) || (each >= 0x1c && each <= 0x1f); }

/* Copy the block with folded lines joined. Return the length, -1 for a block that Python must read. */
static Py_ssize_t unfold(const char *block, Py_ssize_t size, char *text)
{
    Py_ssize_t length = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        if ((unsigned char)block[at] >= 0x80 || (block[at] == '=' && at + 1 < size && block[at + 1] == '?'))
            return -1;
        const int is_fold = block[at] == '\n' && at + 1 < size && (block[at + 1] == ' ' || block[at + 1] == '\t');
        text[length++] = is_fold ? ' ' : block[at];
        at += is_fold;
    }
    return length;
}

static PyObject *ascii(const char *begin, const char *end)
{
    PyObject *made = PyUnicode_New(end - begin, 127);
    if (made)
        memcpy(PyUnicode_1BYTE_DATA(made), begin, (size_t)(end - begin));
    return made;
}

/* Append the header of a line. 0 if it is none, -1 with an exception set on error. */
static int append(PyObject *headers, PyObject *names, const char *begin, const char *end)
{
    const char *colon = memchr(begin, ':', (size_t)(end - begin)), *value = colon ? colon + 1 : end;
    if (!colon)
        return 0;
    while (value < end && is_blank(*value))
        value++;
    while (end > value && is_blank(end[-1]))
        end--;
    PyObject *written = ascii(begin, colon), *name = written ? PyObject_GetItem(names, written) : NULL;
    int done = name ? PyObject_IsTrue(name) : -1;
    if (done > 0) {
        PyObject *text = ascii(value, end), *pair = text ? PyTuple_Pack(2, name, text) : NULL;
        done = pair && PyList_Append(headers, pair) == 0 ? 1 : -1;
        Py_XDECREF(pair);
        Py_XDECREF(text);
    }
    Py_XDECREF(name);
    Py_XDECREF(written);
    return done;
}

PyDoc_STRVAR(split_headers_doc, "Return the headers of a block as a list; None for a block that Python must read: not\n"
                                "ASCII, encoded words, lines that are no headers, or more than `most` lines.");
static PyObject *split_headers(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    const char *block;
    Py_ssize_t size, most;
    PyObject *names;
    if (!PyArg_ParseTuple(arguments, "y#On:split_headers", &block, &size, &names, &most))
        return NULL;
    char *text = PyMem_Malloc((size_t)size + 1);
    PyObject *headers = text ? PyList_New(0) : PyErr_NoMemory();
    const Py_ssize_t length = headers ? unfold(block, size, text) : -1;
    int done = headers ? length >= 0 : -1;
    for (const char *begin = text, *end; done > 0 && begin <= text + length; begin = end + 1) {
        end = memchr(begin, '\n', (size_t)(text + length - begin));
        end = end ? end : text + length;
        done = most-- > 0 ? append(headers, names, begin, end) : 0;
    }
    PyMem_Free(text);
    if (done < 1)
        Py_CLEAR(headers);
    if (done == 0)
        Py_RETURN_NONE;
    return headers;
}

static PyMethodDef functions[] = {
    {"split_headers", split_headers, METH_VARARGS, split_headers_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "headers", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit_headers(void)
{
    PyObject *made = PyModule_Create(&module);
    if (made && PyModule_AddIntConstant(made, "VERSION", VERSION) < 0)
        Py_CLEAR(made);
    return made;
}
