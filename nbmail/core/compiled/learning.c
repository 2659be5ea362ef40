/* Learn a run of messages of two opposite classes with balanced evidence: score, correct, count. Score mailboxes.

`nbmail.core.methods.balanced`, `corrections` and `counts` are the same in Python. Results are equal bit for bit: sums of
integers, and operations that IEEE 754 rounds exactly, in the same order. Arrays are borrowed from the caller for the
time of a call. All words are checked against the width of the tables, and written arrays against shared memory, before
anything is changed. No Python code runs in between. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define VERSION 4

#if FLT_EVAL_METHOD != 0
#error "sums would be rounded otherwise than numpy rounds them"
#endif
#ifdef __FAST_MATH__
#error "sums would be put in another order, and rounding by adding and taking away would be left out"
#endif

/* Constants of `balanced` and `corrections`. Tests compare the results of both implementations. */
static const double STRONGEST = 8.0, DOUBT = 16.0, SQUARE_UNIT = 16.0, CUBE_UNIT = 64.0, SQUARE_SHIFT = 1073741824.0;
static const double UNIT = 131072.0, ERROR_UNIT = 65536.0;
static const double MARGIN = 5.0, STEP = 14.0, FIRST_ENERGY = 0.01, FARTHEST = -30.0;
enum { DOUBLINGS = 12, ENERGY_BITS = 32, ARRAYS = 16, CHANGED = 9, FAMILIES = 3, PARTS = 4, LONGEST = 8192, MARKS = 4, UNSEEN = 3, HOW = 2 };
static const uint64_t ENERGY = 0xFFFFFFFFu;

typedef struct {
    Py_buffer view;
    Py_ssize_t length;
} Array;

/* One of the two classes: its rows of the tables, and the totals of the run. */
typedef struct {
    Array documents, occurrences, corrections;
    int met;
    int64_t messages, times;
} Side;

typedef struct {
    Array words, occurrences, starts, labels, holders, logs, levels, scores, errors, families;
    Side sides[2]; /* spam, ham */
    int64_t fresh;
} Run;

/* Sums over the words of a message, before it is learned. */
typedef struct {
    double cubes, squares;
    int64_t corrections[2];
    Py_ssize_t words;
} Sums;

static int32_t *ints(const Array *array) { return array->view.buf; }
static int64_t *longs(const Array *array) { return array->view.buf; }
static int8_t *bytes(const Array *array) { return array->view.buf; }
static double *floats(const Array *array) { return array->view.buf; }

/* Round to the nearest integer, halves to even, like numpy's rint: after adding 1.5 * 2 ** 52 no bit is left for a
fraction. Valid up to 2 ** 51 in the default rounding mode; takes a fifth of the time of the library function. */
static double nearest(double number) {
    const double shifted = number + 6755399441055744.0;
    return shifted - 6755399441055744.0;
}

static double scale_of(Py_ssize_t words) { return 1.0 / sqrt((double)(words ? words : 1)); }

/* The upper half of a correction with its sign. */
static int64_t correction_of(int64_t state) {
    return ((int64_t)((uint64_t)state >> ENERGY_BITS) ^ 0x80000000) - 0x80000000;
}

static uint64_t energy_of(int64_t error) { return (uint64_t)(error * error) >> 16; }

static int64_t error_of(double margin) {
    if (margin >= MARGIN) return 0;
    double power = 1.0 + (margin > FARTHEST ? margin : FARTHEST) / (1 << DOUBLINGS);
    for (int doubling = 0; doubling < DOUBLINGS; doubling++) power *= power;
    return (int64_t)nearest(ERROR_UNIT / (1.0 + power));
}

/* Return the logarithm of a count. Counts beyond the table have the last one, like numpy's take with mode "clip". */
static double logarithm_of(const Array *logs, int32_t count) {
    if (count < 0) return floats(logs)[0];
    return floats(logs)[count < logs->length ? count : logs->length - 1];
}

static double ratio_of(const Run *run, int32_t spam, int32_t ham, double level) {
    double ratio = logarithm_of(&run->logs, spam) - logarithm_of(&run->logs, ham) - level;
    return ratio > STRONGEST ? STRONGEST : ratio < -STRONGEST ? -STRONGEST : ratio;
}

/* Add up the words from `first` to `last`: all in the first sums, then those of each family. */
static void sum_words(const Run *run, Py_ssize_t first, Py_ssize_t last, double level, Sums sums[PARTS]) {
    const Side *spam = &run->sides[0], *ham = &run->sides[1];
    const int both = spam->messages && ham->messages;
    memset(sums, 0, PARTS * sizeof *sums);
    for (Py_ssize_t place = first; place < last; place++) {
        const int32_t word = ints(&run->words)[place];
        const int8_t mark = bytes(&run->families)[word];
        Sums *own = &sums[1 + (mark == UNSEEN ? HOW : mark)];
        own->words += mark != UNSEEN;
        for (int side = 0; side < 2; side++)
            if (run->sides[side].met)
                own->corrections[side] += correction_of(longs(&run->sides[side].corrections)[word]);
        if (!both) continue;
        const int32_t with = ints(&spam->documents)[word], without = ints(&ham->documents)[word];
        if (!(with | without)) continue;
        const double ratio = ratio_of(run, with, without, level), square = ratio * ratio;
        own->cubes += nearest(square * ratio * CUBE_UNIT);
        own->squares += nearest(square * SQUARE_UNIT);
    }
    for (int family = 1; family < PARTS; family++) {
        sums[0].cubes += sums[family].cubes;
        sums[0].squares += sums[family].squares;
        sums[0].words += sums[family].words;
        for (int side = 0; side < 2; side++) sums[0].corrections[side] += sums[family].corrections[side];
    }
}

static double score_of(const Sums *sums) {
    const double mean = sums->cubes / CUBE_UNIT / (sums->squares / SQUARE_UNIT + DOUBT);
    return mean + (double)(sums->corrections[0] - sums->corrections[1]) / UNIT * scale_of(sums->words);
}

/* Move the words' corrections of the message's own class against the error. */
static void correct(const Run *run, Py_ssize_t first, Py_ssize_t last, int own, int64_t error, double scale) {
    const double reach = STEP * UNIT * (error / ERROR_UNIT) * scale;
    const uint64_t more = energy_of(error);
    int64_t *mine = longs(&run->sides[own].corrections);
    const int64_t *opposed = run->sides[!own].met ? longs(&run->sides[!own].corrections) : NULL;
    for (Py_ssize_t place = first; place < last; place++) {
        const int32_t word = ints(&run->words)[place];
        const uint64_t before = (uint64_t)mine[word];
        const uint64_t energy = (before & ENERGY) + (opposed ? (uint64_t)opposed[word] & ENERGY : 0) + more;
        const double move = nearest(reach / sqrt(FIRST_ENERGY + (double)(int64_t)energy / ERROR_UNIT));
        mine[word] = (int64_t)(before + ((uint64_t)(int64_t)move << ENERGY_BITS) + more);
    }
}

static void count(Run *run, Py_ssize_t first, Py_ssize_t last, Side *side) {
    int32_t *documents = ints(&side->documents), *holders = ints(&run->holders);
    int64_t *occurrences = longs(&side->occurrences);
    for (Py_ssize_t place = first; place < last; place++) {
        const int32_t word = ints(&run->words)[place], times = ints(&run->occurrences)[place];
        run->fresh += !holders[word];
        holders[word] = (int32_t)((uint32_t)holders[word] + 1);
        documents[word] = (int32_t)((uint32_t)documents[word] + 1);
        occurrences[word] = (int64_t)((uint64_t)occurrences[word] + (uint64_t)(int64_t)times);
        side->times += times;
    }
    side->messages++;
}

/* Score the message, correct its words by the error of the corrections, count it. */
static void learn_one(Run *run, Py_ssize_t message) {
    const Py_ssize_t first = longs(&run->starts)[message], last = longs(&run->starts)[message + 1];
    const int own = !((uint8_t *)run->labels.view.buf)[message];
    const double *levels = floats(&run->levels);
    const double level = levels[run->sides[0].messages] - levels[run->sides[1].messages];
    Sums sums[PARTS];
    sum_words(run, first, last, level, sums);
    for (int part = 0; part < PARTS; part++) floats(&run->scores)[PARTS * message + part] = score_of(&sums[part]);
    const double scale = scale_of(sums->words);
    const double mine = (double)sums->corrections[own] / UNIT * scale;
    const int64_t error = last > first ? error_of(mine - (double)sums->corrections[!own] / UNIT * scale) : 0;
    if (error) correct(run, first, last, own, error, scale);
    longs(&run->errors)[message] = error;
    count(run, first, last, &run->sides[own]);
}

/* Return whether the array is contiguous and has numbers of this kind: i, q, d, ? or b. */
static int fits(const Py_buffer *view, char kind) {
    const char *format = view->format ? view->format : "B";
    const char *names = kind == 'i' ? "il" : kind == 'q' ? "lq" : kind == 'd' ? "d" : kind == 'b' ? "b" : "?";
    const Py_ssize_t size = kind == 'i' ? 4 : kind == '?' || kind == 'b' ? 1 : 8;
    return view->ndim == 1 && view->itemsize == size && format[0] && !format[1] && strchr(names, format[0]);
}

/* Borrow an array. 0 with an exception set if it has another kind. */
static int borrow(PyObject *from, Array *array, char kind, int change) {
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (change ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(from, &array->view, flags) < 0) return 0;
    if (!fits(&array->view, kind)) {
        PyBuffer_Release(&array->view);
        PyErr_Format(PyExc_TypeError, "expected a row of numbers of kind '%c'", kind);
        return 0;
    }
    array->length = array->view.shape[0];
    return 1;
}

/* Borrow the rows of a class; None for a class without examples. */
static int borrow_side(PyObject *from, Side *side) {
    PyObject *documents, *occurrences, *corrections, *messages;
    if (from == Py_None) return 1;
    if (!PyTuple_Check(from)) {
        PyErr_SetString(PyExc_TypeError, "a class is three rows and a number");
        return 0;
    }
    if (!PyArg_ParseTuple(from, "OOOO!", &documents, &occurrences, &corrections, &PyLong_Type, &messages)) return 0;
    side->messages = PyLong_AsLongLong(messages);
    if (side->messages == -1 && PyErr_Occurred()) return 0;
    side->met = 1;
    return borrow(documents, &side->documents, 'i', 1) && borrow(occurrences, &side->occurrences, 'q', 1) &&
           borrow(corrections, &side->corrections, 'q', 1);
}

/* List the arrays of a run. Learning writes to the first `CHANGED` ones. */
static void list_arrays(Run *run, Array *all[ARRAYS]) {
    Side *spam = &run->sides[0], *ham = &run->sides[1];
    Array *listed[ARRAYS] = {&spam->documents, &spam->occurrences, &spam->corrections,
                             &ham->documents, &ham->occurrences, &ham->corrections,
                             &run->holders, &run->scores, &run->errors,
                             &run->words, &run->occurrences, &run->starts, &run->labels, &run->logs, &run->levels,
                             &run->families};
    memcpy(all, listed, sizeof listed);
}

static void give_back(Run *run) {
    Array *all[ARRAYS];
    list_arrays(run, all);
    for (int place = 0; place < ARRAYS; place++)
        if (all[place]->view.obj) PyBuffer_Release(&all[place]->view);
}

static int share_memory(const Py_buffer *one, const Py_buffer *other) {
    const uintptr_t first = (uintptr_t)one->buf, second = (uintptr_t)other->buf;
    return first < second + (uintptr_t)other->len && second < first + (uintptr_t)one->len;
}

/* Return whether no written array shares memory with another array. Otherwise the checks would not remain valid. */
static int are_apart(Run *run) {
    Array *all[ARRAYS];
    list_arrays(run, all);
    for (int one = 0; one < CHANGED; one++)
        for (int other = one + 1; other < ARRAYS; other++)
            if (share_memory(&all[one]->view, &all[other]->view)) return 0;
    return 1;
}

/* Return the number of columns of the narrowest table. */
static Py_ssize_t width_of(const Run *run) {
    Py_ssize_t width = run->holders.length < run->families.length ? run->holders.length : run->families.length;
    for (int side = 0; side < 2; side++) {
        const Side *one = &run->sides[side];
        if (!one->met) continue;
        if (one->documents.length < width) width = one->documents.length;
        if (one->occurrences.length < width) width = one->occurrences.length;
        if (one->corrections.length < width) width = one->corrections.length;
    }
    return width;
}

/* Return whether all messages are within the words, and their words are ascending and have a column. */
static int words_fit(const Run *run, Py_ssize_t messages) {
    const Py_ssize_t width = width_of(run), length = run->words.length;
    const int64_t *starts = longs(&run->starts);
    if (run->occurrences.length != length || starts[0] < 0 || starts[messages] > length) return 0;
    for (Py_ssize_t message = 0; message < messages; message++) {
        int64_t before = -1;
        if (starts[message] > starts[message + 1] || starts[message + 1] > length) return 0;
        for (int64_t place = starts[message]; place < starts[message + 1]; place++) {
            const int32_t word = ints(&run->words)[place];
            if (word <= before || word >= width) return 0;
            const int8_t family = bytes(&run->families)[word];
            if (family < 0 || family >= MARKS) return 0;
            before = word;
        }
    }
    return 1;
}

/* Return whether the class of every label is present, and the tables of logarithms are long enough. */
static int labels_fit(const Run *run, Py_ssize_t messages) {
    for (Py_ssize_t message = 0; message < messages; message++)
        if (!run->sides[!((uint8_t *)run->labels.view.buf)[message]].met) return 0;
    for (int side = 0; side < 2; side++)
        if (run->sides[side].messages < 0 || run->sides[side].messages >= run->levels.length - messages) return 0;
    return run->logs.length > 0;
}

static int is_sound(Run *run) {
    const Py_ssize_t messages = run->labels.length;
    if (run->starts.length == messages + 1 && run->scores.length == PARTS * messages && run->errors.length == messages &&
        are_apart(run) && words_fit(run, messages) && labels_fit(run, messages))
        return 1;
    PyErr_SetString(PyExc_ValueError, "messages and tables don't fit each other");
    return 0;
}

PyDoc_STRVAR(learn_text,
             "learn(words, occurrences, starts, labels, spam, ham, holders, logs, levels, scores, errors,\n"
             "families)\n\n"
             "Learn consecutive messages; true labels are spam. Fills `scores` (all words,\n"
             "then each family) and `errors`. Returns the number of new\n"
             "words, then the occurrences added to each class.");

static PyObject *learn(PyObject *module, PyObject *arguments) {
    PyObject *given[12];
    Run run;
    PyObject *told = NULL;
    (void)module;
    memset(&run, 0, sizeof run);
    if (!PyArg_UnpackTuple(arguments, "learn", 12, 12, &given[0], &given[1], &given[2], &given[3], &given[4], &given[5],
                           &given[6], &given[7], &given[8], &given[9], &given[10], &given[11]))
        return NULL;
    if (borrow(given[0], &run.words, 'i', 0) && borrow(given[1], &run.occurrences, 'i', 0) &&
        borrow(given[2], &run.starts, 'q', 0) && borrow(given[3], &run.labels, '?', 0) &&
        borrow_side(given[4], &run.sides[0]) && borrow_side(given[5], &run.sides[1]) &&
        borrow(given[6], &run.holders, 'i', 1) && borrow(given[7], &run.logs, 'd', 0) &&
        borrow(given[8], &run.levels, 'd', 0) && borrow(given[9], &run.scores, 'd', 1) &&
        borrow(given[10], &run.errors, 'q', 1) &&
        borrow(given[11], &run.families, 'b', 0) && is_sound(&run)) {
        for (Py_ssize_t message = 0; message < run.labels.length; message++) learn_one(&run, message);
        const Side *spam = &run.sides[0], *ham = &run.sides[1];
        told = Py_BuildValue("LLL", (long long)run.fresh, (long long)spam->times, (long long)ham->times);
    }
    give_back(&run);
    return told;
}

/* Arrays of the messages to score. */
typedef struct {
    Array words, starts, packed, families, scores;
    int aligned;
} Scoring;

/* Sums of packed evidence, before they are taken apart. */
typedef struct {
    double both, corrections;
    Py_ssize_t words;
} Packed;

/* Add up the words from `first` to `last`, by family or as unseen. Two lanes take turns: each addition waits for the one before it in
its lane. Return 0 for a word without a family. */
static int add_words(const Scoring *scoring, Py_ssize_t first, Py_ssize_t last, Packed sums[2][MARKS]) {
    const double *packed = floats(&scoring->packed);
    const int32_t *words = ints(&scoring->words);
    const int8_t *families = bytes(&scoring->families);
    const uint32_t known = (uint32_t)scoring->families.length;
    const Py_ssize_t last_cell = scoring->packed.length / 2 - 1;
    for (Py_ssize_t place = first; place < last; place++) {
        const uint32_t word = (uint32_t)words[place];
        if (word >= known) return 0;
        const Py_ssize_t cell = scoring->aligned ? place : (Py_ssize_t)word < last_cell ? (Py_ssize_t)word : last_cell;
        Packed *own = &sums[place & 1][families[word]];
        own->both += packed[2 * cell];
        own->corrections += packed[2 * cell + 1];
        own->words++;
    }
    return 1;
}

/* Score the words from `first` to `last`: all, then those of each family. Return 0 for a word without a family. */
static int score_one(const Scoring *scoring, Py_ssize_t first, Py_ssize_t last, double *scores) {
    double squares[PARTS] = {0.0}, cubes[PARTS] = {0.0}, corrections[PARTS] = {0.0};
    Py_ssize_t words[PARTS] = {0};
    for (Py_ssize_t start = first; start < last; start += LONGEST) {
        const Py_ssize_t end = last - start < LONGEST ? last : start + LONGEST;
        Packed sums[2][MARKS];
        memset(sums, 0, sizeof sums);
        if (!add_words(scoring, start, end, sums)) return 0;
        for (int lane = 0; lane < 2; lane++) {
            sums[lane][HOW].both += sums[lane][UNSEEN].both;
            sums[lane][HOW].corrections += sums[lane][UNSEEN].corrections;
        }
        for (int family = 0; family < FAMILIES; family++) {
            const double both = sums[0][family].both + sums[1][family].both;
            const double whole = floor(both / SQUARE_SHIFT + 0.5);
            squares[1 + family] += whole;
            cubes[1 + family] += both - whole * SQUARE_SHIFT;
            corrections[1 + family] += sums[0][family].corrections + sums[1][family].corrections;
            words[1 + family] += sums[0][family].words + sums[1][family].words;
        }
    }
    for (int part = 1; part < PARTS; part++) {
        squares[0] += squares[part];
        cubes[0] += cubes[part];
        corrections[0] += corrections[part];
        words[0] += words[part];
    }
    for (int part = 0; part < PARTS; part++)
        scores[part] = cubes[part] / CUBE_UNIT / (squares[part] / SQUARE_UNIT + DOUBT) +
                       corrections[part] * scale_of(words[part]);
    return 1;
}

/* Return whether all messages are within the words and every family exists. */
static int scoring_fits(const Scoring *scoring) {
    const Py_ssize_t messages = scoring->starts.length - 1, length = scoring->words.length;
    const Py_ssize_t cells = scoring->packed.length / 2;
    const int64_t *starts = longs(&scoring->starts);
    if (messages < 0 || scoring->scores.length != PARTS * messages || scoring->packed.length % 2) return 0;
    const Array *read[] = {&scoring->words, &scoring->starts, &scoring->packed, &scoring->families};
    for (int place = 0; place < 4; place++)
        if (share_memory(&scoring->scores.view, &read[place]->view)) return 0;
    if (scoring->aligned ? cells != length : cells < 1) return 0;
    if (starts[0] < 0 || starts[messages] > length) return 0;
    for (Py_ssize_t message = 0; message < messages; message++)
        if (starts[message] > starts[message + 1] || starts[message + 1] > length) return 0;
    int unknown = 0;
    for (Py_ssize_t word = 0; word < scoring->families.length; word++)
        unknown |= (uint8_t)bytes(&scoring->families)[word] >= MARKS;
    return !unknown;
}

PyDoc_STRVAR(score_text,
             "score(words, starts, packed, families, scores, aligned)\n\n"
             "Score messages from the packed evidence of their words. Fills `scores` (all words, then each family).\n"
             "`aligned`: `packed` has a cell for each of `words`, instead of one for each word number.");

static PyObject *score(PyObject *module, PyObject *arguments) {
    PyObject *given[5];
    Scoring scoring;
    Array *all[] = {&scoring.words, &scoring.starts, &scoring.packed, &scoring.families, &scoring.scores};
    int fits = 0;
    (void)module;
    memset(&scoring, 0, sizeof scoring);
    if (!PyArg_ParseTuple(arguments, "OOOOOp", &given[0], &given[1], &given[2], &given[3], &given[4], &scoring.aligned))
        return NULL;
    if (borrow(given[0], &scoring.words, 'i', 0) && borrow(given[1], &scoring.starts, 'q', 0) &&
        borrow(given[2], &scoring.packed, 'd', 0) && borrow(given[3], &scoring.families, 'b', 0) &&
        borrow(given[4], &scoring.scores, 'd', 1)) {
        Py_BEGIN_ALLOW_THREADS;
        fits = scoring_fits(&scoring);
        for (Py_ssize_t message = 0; fits && message < scoring.starts.length - 1; message++) {
            const int64_t *starts = longs(&scoring.starts);
            fits = score_one(&scoring, starts[message], starts[message + 1], floats(&scoring.scores) + PARTS * message);
        }
        Py_END_ALLOW_THREADS;
        if (!fits) PyErr_SetString(PyExc_ValueError, "messages and evidence don't fit each other");
    }
    for (int place = 0; place < 5; place++)
        if (all[place]->view.obj) PyBuffer_Release(&all[place]->view);
    if (!fits) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {{"learn", learn, METH_VARARGS, learn_text},
                                {"score", score, METH_VARARGS, score_text},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, .m_name = "nbmail.core.compiled.learning", .m_doc = "Learning many messages at once.", .m_size = -1,
    .m_methods = METHODS};

PyMODINIT_FUNC PyInit_learning(void) {
    PyObject *module = PyModule_Create(&MODULE);
    if (module && PyModule_AddIntConstant(module, "VERSION", VERSION) < 0) Py_CLEAR(module);
    return module;
}
