/* Read a page: find its tags, follow which elements are open, and join the texts that are shown.
 *
 * `read_page` of `nbmail/core/mail/html_page.py` and `OpenElements` of `nbmail/html_hiding.py` are the same in
 * Python; tests compare the results. The meaning of a tag comes from Python, once for each different tag of a page.
 * Nothing recurses, and the time is linear in the length of the page.
 */
#include "link_tag.h"

#define VERSION 3
#define MOST_TAGS 100000
#define FARTHEST 100 /* Open elements that are searched for the one that a tag ends. */

enum { NOTHING, INNER, END, OUTER, ALONE }; /* Kinds of tags, as in `html_hiding.py`. */

/* A different tag of the page. `inside` is the state in its element where `outer` is the state around it. */
typedef struct {
    PyObject *written, *meaning, *effect, *nesting, *name, *outer, *inside;
    long kind, bit, ended, barrier, around;
    int state;
} Tag;

typedef struct {
    Py_ssize_t begin, end, tag;
} Place;

typedef struct {
    PyObject *name, *effect; /* The name is borrowed from a tag. */
    long bit;
    int state;
} Element;

typedef struct {
    PyObject *text;
    const void *characters;
    int width;
    Py_ssize_t length, count, different, depth;
    Place *places;
    Tag *tags;
    Element *open;
    PyObject *numbers, *hidden;
} Page;

/* Functions and values of Python. */
typedef struct {
    PyObject *meanings, *links, *effects, *nesting, *inherited, *inside, *state;
} Helpers;

static Py_UCS4 at(const Page *page, Py_ssize_t place) { return PyUnicode_READ(page->width, page->characters, place); }
static int is_letter(Py_UCS4 each) { return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z'); }

/* Find the next tag behind `place`. 0 if there is none. */
static int next_tag(const Page *page, Py_ssize_t place, Place *found)
{
    while ((place = PyUnicode_FindChar(page->text, '<', place, page->length, 1)) >= 0 && place + 1 < page->length) {
        const Py_UCS4 first = at(page, place + 1);
        Py_ssize_t end = place + 1;
        if (is_letter(first) || first == '/' || first == '!' || first == '?')
            while (++end < page->length && at(page, end) != '<' && at(page, end) != '>')
                ;
        if (end < page->length && end > place + 1 && at(page, end) == '>') {
            *found = (Place){place + 1, end, 0};
            return 1;
        }
        place = end;
    }
    return 0;
}

static int meet_tag(Page *page, Place *place, PyObject *meanings)
{
    PyObject *written = PyUnicode_Substring(page->text, place->begin, place->end);
    PyObject *number = written ? PyDict_GetItemWithError(page->numbers, written) : NULL;
    if (!number && written && !PyErr_Occurred()) {
        Tag *tag = &page->tags[page->different];
        PyObject *made = PyLong_FromSsize_t(page->different);
        if (made && PyDict_SetItem(page->numbers, written, made) == 0) {
            page->different++;
            number = made;
            tag->written = Py_NewRef(written);
            tag->meaning = read_link(written);
            if (!tag->meaning && !PyErr_Occurred())
                tag->meaning = PyObject_GetItem(meanings, written);
            PyObject *end, *name, *target, *hides, *effect;
            if (tag->meaning)
                (void)PyArg_ParseTuple(tag->meaning, "UUUOO:meaning", &end, &name, &target, &hides, &effect);
        }
        Py_XDECREF(made);
    }
    Py_XDECREF(written);
    place->tag = number && !PyErr_Occurred() ? PyLong_AsSsize_t(number) : -1;
    return place->tag < 0 ? -1 : 0;
}

static int find_tags(Page *page, Py_ssize_t most, PyObject *meanings)
{
    for (Py_ssize_t place = 0; page->count < most && next_tag(page, place, &page->places[page->count]); page->count++) {
        place = page->places[page->count].end + 1;
        if (meet_tag(page, &page->places[page->count], meanings) < 0)
            return -1;
    }
    return 0;
}

/* Get the text behind a tag; that before the first one has the number -1. None follows the last of `most` tags. */
static void text_behind(const Page *page, Py_ssize_t number, Py_ssize_t most, Py_ssize_t *begin, Py_ssize_t *end)
{
    *begin = number < 0 ? 0 : page->places[number].end + 1;
    *end = number + 1 < page->count ? page->places[number + 1].begin - 1 : number + 1 >= most ? *begin : page->length;
}

/* True if the text may contain a web address: "://" or "www." */
static int has_address(const Page *page, Py_ssize_t begin, Py_ssize_t end)
{
    for (; end - begin >= 3; begin++) {
        const Py_UCS4 first = at(page, begin), second = at(page, begin + 1), third = at(page, begin + 2);
        if ((first == ':' && second == '/' && third == '/') || (first == 'w' && second == 'w' && third == 'w'))
            return 1;
    }
    return 0;
}

/* Return pairs of a tag of a link and a text behind it that may show another address. */
static PyObject *shown_addresses(const Page *page, Py_ssize_t most)
{
    PyObject *found = PyList_New(0);
    for (Py_ssize_t number = 0, begin, end; found && number < page->count; number++) {
        const Tag *tag = &page->tags[page->places[number].tag];
        PyObject *name = PyTuple_GET_ITEM(tag->meaning, 1), *target = PyTuple_GET_ITEM(tag->meaning, 2);
        text_behind(page, number, most, &begin, &end);
        if (PyUnicode_GET_LENGTH(target) == 0 || PyUnicode_CompareWithASCIIString(name, "a") || !has_address(page, begin, end))
            continue;
        PyObject *text = PyUnicode_Substring(page->text, begin, end);
        PyObject *pair = text ? PyTuple_Pack(2, tag->meaning, text) : NULL;
        if (!pair || PyList_Append(found, pair) < 0)
            Py_CLEAR(found);
        Py_XDECREF(pair);
        Py_XDECREF(text);
    }
    return found;
}

/* ---- open elements ---- */

static int is_name_character(Py_UCS4 each) { return is_letter(each) || (each >= '0' && each <= '9') || each == ':'; }

static int read_nesting(Tag *tag, PyObject *nesting)
{
    const int width = PyUnicode_KIND(tag->written);
    const void *text = PyUnicode_DATA(tag->written);
    const Py_ssize_t length = PyUnicode_GET_LENGTH(tag->written), begin = PyUnicode_READ(width, text, 0) == '/';
    Py_ssize_t end = begin;
    while (end < length && (end > begin ? is_name_character : is_letter)(PyUnicode_READ(width, text, end)))
        end++;
    PyObject *name = PyUnicode_New(end - begin, 127);
    for (Py_ssize_t place = begin; name && place < end; place++) {
        const Py_UCS4 each = PyUnicode_READ(width, text, place);
        PyUnicode_1BYTE_DATA(name)[place - begin] = (Py_UCS1)(each >= 'A' && each <= 'Z' ? each + 32 : each);
    }
    tag->nesting = name ? PyObject_CallFunctionObjArgs(nesting, name, begin ? Py_True : Py_False, NULL) : NULL;
    Py_XDECREF(name);
    return tag->nesting && PyArg_ParseTuple(tag->nesting, "Ulllll:nesting", &tag->name, &tag->kind, &tag->bit, &tag->ended,
                                            &tag->barrier, &tag->around)
               ? 0
               : -1;
}

static int is_name(PyObject *one, PyObject *other) { return one == other || PyUnicode_Compare(one, other) == 0; }

static void cut(Page *page, Py_ssize_t depth)
{
    while (page->depth > depth)
        Py_DECREF(page->open[--page->depth].effect);
}

/* End the elements that end where one like this begins. */
static void end_others(Page *page, const Tag *tag)
{
    const Py_ssize_t last = page->depth - 1;
    Py_ssize_t lowest = 0;
    for (Py_ssize_t depth = last; depth > 0 && depth > page->depth - FARTHEST; depth--) {
        if (depth == last && (page->open[depth].bit & tag->barrier))
            break;
        if (page->open[depth].bit & tag->ended)
            lowest = depth;
        else if (page->open[depth].bit & tag->barrier)
            break;
    }
    if (lowest)
        cut(page, lowest);
}

static void end_element(Page *page, const Tag *tag)
{
    for (Py_ssize_t depth = page->depth - 1; depth > 0 && depth > page->depth - FARTHEST; depth--) {
        if (is_name(page->open[depth].name, tag->name)) {
            cut(page, depth);
            return;
        }
        if (page->open[depth].bit & tag->around)
            return;
    }
}

static int add_element(Page *page, Tag *tag, const Helpers *helpers)
{
    const Element outer = page->open[page->depth - 1];
    Element made = {tag->name, outer.effect, tag->bit, outer.state};
    if (tag->effect || PyUnicode_CompareWithASCIIString(tag->name, "a") == 0) {
        if (tag->outer != outer.effect) {
            PyObject *own = tag->effect ? tag->effect : helpers->inherited;
            PyObject *inside = PyObject_CallFunctionObjArgs(helpers->inside, tag->name, outer.effect, own, NULL);
            PyObject *state = inside ? PyObject_CallOneArg(helpers->state, inside) : NULL;
            const long number = state ? PyLong_AsLong(state) : -1;
            tag->state = (int)number;
            Py_XDECREF(state);
            if ((number < 0 || number > INT_MAX) && !PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "no state of a text");
            Py_XSETREF(tag->inside, inside);
            Py_XSETREF(tag->outer, Py_NewRef(outer.effect));
            if (PyErr_Occurred())
                return -1;
        }
        made.effect = tag->inside;
        made.state = tag->state;
    }
    Py_INCREF(made.effect);
    page->open[page->depth++] = made;
    return 0;
}

/* Follow a tag. Return the state of the text behind it, -1 with an exception set on error. */
static int follow(Page *page, Tag *tag, const Helpers *helpers)
{
    if (!tag->nesting && read_nesting(tag, helpers->nesting) < 0)
        return -1;
    if (tag->kind == END)
        end_element(page, tag);
    if (tag->kind == OUTER || tag->kind == ALONE)
        end_others(page, tag);
    if ((tag->kind == INNER || tag->kind == OUTER) && add_element(page, tag, helpers) < 0)
        return -1;
    return page->open[page->depth - 1].state;
}

static int begin_page(Page *page, PyObject *effects, const Helpers *helpers)
{
    for (Py_ssize_t number = 0; number < page->different; number++) {
        PyObject *effect = PyDict_GetItemWithError(effects, page->tags[number].written);
        if (!effect && PyErr_Occurred())
            return -1;
        page->tags[number].effect = Py_XNewRef(effect);
    }
    page->open = PyMem_Calloc((size_t)page->count + 1, sizeof(Element));
    if (!page->open) {
        PyErr_NoMemory();
        return -1;
    }
    page->open[page->depth++] = (Element){NULL, Py_NewRef(helpers->inherited), 0, 0};
    return 0;
}

/* ---- the text ---- */

/* Return the texts that are shown, with a space for each tag that ends a word. The others go to `hidden`. */
static PyObject *join_texts(Page *page, Py_ssize_t most, PyObject *effects, const Helpers *helpers)
{
    const size_t width = (size_t)page->width;
    char *joined = PyMem_Malloc((size_t)(page->length + page->count + 1) * width);
    Py_ssize_t size = 0, begin, end;
    int state = 0;
    if (!joined)
        return PyErr_NoMemory();
    if (effects != Py_None && begin_page(page, effects, helpers) < 0)
        state = -1;
    for (Py_ssize_t number = -1; state >= 0 && number < page->count; number++) {
        text_behind(page, number, most, &begin, &end);
        if (number >= 0) {
            Tag *tag = &page->tags[page->places[number].tag];
            PyObject *separator = PyTuple_GET_ITEM(tag->meaning, 0);
            if (PyUnicode_GET_LENGTH(separator))
                PyUnicode_WRITE(page->width, joined, size++, ' ');
            state = effects == Py_None ? 0 : follow(page, tag, helpers);
        }
        if (state == 0) {
            memcpy(joined + (size_t)size * width, (const char *)page->characters + (size_t)begin * width,
                   (size_t)(end - begin) * width);
            size += end - begin;
        } else if (state > 0 && end > begin) {
            PyObject *text = PyUnicode_Substring(page->text, begin, end);
            if (!text || PyList_Append(page->hidden, text) < 0)
                state = -1;
            Py_XDECREF(text);
        }
    }
    PyObject *made = state < 0 ? NULL : PyUnicode_FromKindAndData(page->width, joined, size);
    PyMem_Free(joined);
    return made;
}

static void release(Page *page)
{
    if (page->open)
        cut(page, 0);
    for (Py_ssize_t number = 0; number < page->different; number++) {
        Tag *tag = &page->tags[number];
        PyObject *held[] = {tag->written, tag->meaning, tag->effect, tag->nesting, tag->outer, tag->inside};
        for (size_t each = 0; each < sizeof held / sizeof *held; each++)
            Py_XDECREF(held[each]);
    }
    PyMem_Free(page->open);
    PyMem_Free(page->tags);
    PyMem_Free(page->places);
    Py_XDECREF(page->numbers);
    Py_XDECREF(page->hidden);
}

static int begin_reading(Page *page, Py_ssize_t most)
{
    Py_ssize_t tags = 0;
    for (Py_ssize_t place = 0; tags < most && place < page->length; place++)
        tags += at(page, place) == '<';
    page->places = PyMem_Malloc((size_t)(tags + 1) * sizeof(Place));
    page->tags = PyMem_Calloc((size_t)tags + 1, sizeof(Tag));
    if (!page->places || !page->tags) {
        PyErr_NoMemory();
        return -1;
    }
    page->numbers = PyDict_New();
    page->hidden = PyList_New(0);
    return page->numbers && page->hidden ? 0 : -1;
}

PyDoc_STRVAR(read_page_doc, "Return the text that is shown, its links, the number of tags, and the hidden texts.");
static PyObject *read_page(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Page page = {0};
    Py_ssize_t most;
    Helpers helpers;
    PyObject *found = NULL, *text = NULL, *effects = NULL, *addresses = NULL, *links = NULL;
    if (!PyArg_ParseTuple(arguments, "UnOOOOOOO:read_page", &page.text, &most, &helpers.meanings, &helpers.links,
                          &helpers.effects, &helpers.nesting, &helpers.inherited, &helpers.inside, &helpers.state))
        return NULL;
    if (most < 1 || most > MOST_TAGS || page.length > PY_SSIZE_T_MAX / 8)
        return PyErr_Format(PyExc_ValueError, "too many tags");
    page.characters = PyUnicode_DATA(page.text);
    page.width = PyUnicode_KIND(page.text);
    page.length = PyUnicode_GET_LENGTH(page.text);
    if (begin_reading(&page, most) == 0 && find_tags(&page, most, helpers.meanings) == 0) {
        PyObject *meanings = PyList_New(page.different);
        for (Py_ssize_t number = 0; meanings && number < page.different; number++)
            PyList_SET_ITEM(meanings, number, Py_NewRef(page.tags[number].meaning));
        addresses = meanings ? shown_addresses(&page, most) : NULL;
        links = addresses ? PyObject_CallFunctionObjArgs(helpers.links, meanings, addresses, NULL) : NULL;
        effects = links ? PyObject_CallFunctionObjArgs(helpers.effects, page.numbers, meanings, NULL) : NULL;
        Py_XDECREF(meanings);
    }
    if (effects && effects != Py_None && !PyDict_Check(effects))
        PyErr_SetString(PyExc_TypeError, "effects come in a dictionary");
    else if (effects)
        text = join_texts(&page, most, effects, &helpers);
    if (text)
        found = Py_BuildValue("OOnO", text, links, page.count, page.hidden);
    Py_XDECREF(text);
    Py_XDECREF(effects);
    Py_XDECREF(addresses);
    Py_XDECREF(links);
    release(&page);
    return found;
}

static PyMethodDef functions[] = {
    {"read_page", read_page, METH_VARARGS, read_page_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "pages", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit_pages(void)
{
    PyObject *made = PyModule_Create(&module);
    if (made && PyModule_AddIntConstant(made, "VERSION", VERSION) < 0)
        Py_CLEAR(made);
    return made;
}
