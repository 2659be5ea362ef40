/* Hash table of `wordtable.c`: words as UTF-8, their numbers, and the numbers of the current message.
 *
 * Words are untrusted input: hashes have a random key, sizes are checked before use, and nothing recurses. An error
 * leaves the table unchanged and an exception set.
 */
#ifndef NBMAIL_NUMBERING_H
#define NBMAIL_NUMBERING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Limits so that no sum of sizes exceeds 32 bits. */
#define MOST_WORDS 0x3fffffffu
#define MOST_BYTES 0x7fffffffu
#define LONGEST_POSSIBLE 255
#define FIRST_SLOTS 1024u
#define DIGITS 256u

typedef struct {
    uint32_t hash;
    uint32_t entry; /* Number of the word plus one; 0 for a free slot. */
} Slot;

typedef struct {
    PyObject_HEAD
    char *text; /* All words end to end, in UTF-8. */
    uint32_t *starts; /* Start of each word, and the end of the last one. */
    uint32_t count, room, text_room;
    Slot *slots; /* A power of two, at most two thirds in use; linear probing. */
    uint32_t mask;
    uint64_t *met; /* Numbers of the current message in order, in the upper 32 bits. */
    uint32_t met_count, met_room;
    uint32_t longest;
    uint64_t secret[2];
    unsigned char byte_map[256];
    PyObject *readers, *places; /* Functions that read headers, or their words; places of headers that are read in C. */
} WordTable;

/* ---- hashing: SipHash-1-3 with a random key, so that senders can't choose colliding words ---- */

#define ROTATED(value, bits) (((value) << (bits)) | ((value) >> (64 - (bits))))

static inline void mix(uint64_t state[4])
{
    state[0] += state[1]; state[1] = ROTATED(state[1], 13) ^ state[0]; state[0] = ROTATED(state[0], 32);
    state[2] += state[3]; state[3] = ROTATED(state[3], 16) ^ state[2];
    state[0] += state[3]; state[3] = ROTATED(state[3], 21) ^ state[0];
    state[2] += state[1]; state[1] = ROTATED(state[1], 17) ^ state[2]; state[2] = ROTATED(state[2], 32);
}

static inline void absorb(uint64_t state[4], uint64_t block)
{
    state[3] ^= block;
    mix(state);
    state[0] ^= block;
}

/* Return the last bytes of a word, at most seven, as one number. Up to three overlapping loads take half the time of
 * single bytes. */
static inline uint64_t last_bytes(const char *word, uint32_t length)
{
    const unsigned char *bytes = (const unsigned char *)word;
    const uint32_t rest = length % 8;
    uint64_t whole;
    uint32_t low, high;
    if (!rest)
        return 0;
    if (length > 8) {
        memcpy(&whole, word + length - 8, 8);
        return whole >> (64 - 8 * rest);
    }
    if (length >= 4) {
        memcpy(&low, word, 4);
        memcpy(&high, word + length - 4, 4);
        return low | (uint64_t)high << (8 * (length - 4));
    }
    return bytes[0] | (uint64_t)bytes[length / 2] << (8 * (length / 2)) |
           (uint64_t)bytes[length - 1] << (8 * (length - 1));
}

static uint32_t hash_of(const uint64_t secret[2], const char *word, uint32_t length)
{
    uint64_t state[4] = {
        secret[0] ^ 0x736f6d6570736575u, secret[1] ^ 0x646f72616e646f6du,
        secret[0] ^ 0x6c7967656e657261u, secret[1] ^ 0x7465646279746573u,
    };
    uint64_t block;
    for (uint32_t place = 0; length - place >= 8; place += 8) {
        memcpy(&block, word + place, 8);
        absorb(state, block);
    }
    absorb(state, (uint64_t)length << 56 | last_bytes(word, length));
    state[2] ^= 0xff;
    mix(state);
    mix(state);
    mix(state);
    uint64_t whole = state[0] ^ state[1] ^ state[2] ^ state[3];
    return (uint32_t)(whole ^ (whole >> 32));
}

/* ---- the table ---- */

/* Return the items with room for `wanted`, growing by half. NULL with an exception set and unchanged items on error. */
static void *with_room(void *items, uint32_t *room, size_t wanted, size_t item, uint32_t most)
{
    if (wanted <= *room)
        return items;
    if (wanted > most) {
        PyErr_SetString(PyExc_OverflowError, "too many words");
        return NULL;
    }
    size_t next = (size_t)*room + *room / 2 + 64;
    next = next < wanted ? wanted : next > most ? most : next;
    void *moved = next > (size_t)PY_SSIZE_T_MAX / item ? NULL : PyMem_Realloc(items, next * item);
    if (!moved) {
        PyErr_NoMemory();
        return NULL;
    }
    *room = (uint32_t)next;
    return moved;
}

static int spread(WordTable *table, uint32_t size)
{
    Slot *slots = PyMem_Calloc(size, sizeof(Slot));
    if (!slots) {
        PyErr_NoMemory();
        return -1;
    }
    for (uint32_t old = 0; table->slots && old <= table->mask; old++) {
        if (!table->slots[old].entry)
            continue;
        uint32_t place = table->slots[old].hash & (size - 1);
        while (slots[place].entry)
            place = (place + 1) & (size - 1);
        slots[place] = table->slots[old];
    }
    PyMem_Free(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    return 0;
}

/* Return the slot of the word, or the free slot for it. */
static Slot *find(const WordTable *table, const char *word, uint32_t length, uint32_t hash)
{
    for (uint32_t place = hash & table->mask;; place = (place + 1) & table->mask) {
        Slot *slot = &table->slots[place];
        if (!slot->entry)
            return slot;
        const uint32_t *start = &table->starts[slot->entry - 1];
        if (slot->hash == hash && start[1] - start[0] == length && !memcmp(table->text + start[0], word, length))
            return slot;
    }
}

static int64_t known_number(const WordTable *table, const char *word, size_t length)
{
    if (length > MOST_BYTES)
        return -1;
    uint32_t hash = hash_of(table->secret, word, (uint32_t)length);
    return (int64_t)find(table, word, (uint32_t)length, hash)->entry - 1;
}

/* Append a new word. The caller fills its slot. */
static int append(WordTable *table, const char *word, uint32_t length)
{
    uint32_t end = table->starts[table->count];
    uint32_t *starts = with_room(table->starts, &table->room, (size_t)table->count + 2, sizeof(uint32_t), MOST_WORDS);
    if (!starts)
        return -1;
    table->starts = starts;
    char *text = with_room(table->text, &table->text_room, (size_t)end + length, 1, MOST_BYTES);
    if (!text)
        return -1;
    table->text = text;
    memcpy(text + end, word, length);
    starts[++table->count] = end + length;
    return 0;
}

/* Return the number of a word, which is added if it is new. -1 with an exception set on error. */
static int64_t number_of(WordTable *table, const char *word, size_t length)
{
    if (length > MOST_BYTES) {
        PyErr_SetString(PyExc_OverflowError, "too long a word");
        return -1;
    }
    uint32_t hash = hash_of(table->secret, word, (uint32_t)length);
    Slot *slot = find(table, word, (uint32_t)length, hash);
    if (slot->entry)
        return (int64_t)slot->entry - 1;
    if (table->count >= table->mask / 3 * 2) {
        if (spread(table, (table->mask + 1) * 2) < 0)
            return -1;
        slot = find(table, word, (uint32_t)length, hash);
    }
    if (append(table, word, (uint32_t)length) < 0)
        return -1;
    *slot = (Slot){hash, table->count};
    return (int64_t)table->count - 1;
}

/* ---- the words of one message ---- */

/* Radix sort by the upper 32 bits. `all` is their bitwise or. The time doesn't depend on the order of the words. */
static int sort_by_number(uint64_t *items, size_t count, uint32_t all)
{
    uint64_t *spare = PyMem_Malloc((count ? count : 1) * sizeof(uint64_t)), *from = items, *to = spare;
    if (!spare) {
        PyErr_NoMemory();
        return -1;
    }
    for (unsigned shift = 32; all; shift += 8, all >>= 8) {
        size_t ends[DIGITS] = {0}, end = 0;
        for (size_t place = 0; place < count; place++)
            ends[(from[place] >> shift) % DIGITS]++;
        for (unsigned digit = 0; digit < DIGITS; digit++) {
            size_t begin = end;
            end += ends[digit];
            ends[digit] = begin;
        }
        for (size_t place = 0; place < count; place++)
            to[ends[(from[place] >> shift) % DIGITS]++] = from[place];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != items)
        memcpy(items, from, count * sizeof(uint64_t));
    PyMem_Free(spare);
    return 0;
}

static inline int meet_item(WordTable *table, uint64_t item)
{
    if (table->met_count == table->met_room) {
        size_t wanted = (size_t)table->met_count + 1;
        uint64_t *met = with_room(table->met, &table->met_room, wanted, sizeof(uint64_t), MOST_WORDS);
        if (!met)
            return -1;
        table->met = met;
    }
    table->met[table->met_count++] = item;
    return 0;
}

static int meet(WordTable *table, const char *word, size_t length)
{
    int64_t number = number_of(table, word, length);
    return number < 0 ? -1 : meet_item(table, (uint64_t)number << 32);
}

/* Add the words between bytes that map to a space. Bytes that map to zero are dropped. Long words are only counted. */
static Py_ssize_t meet_text(WordTable *table, const unsigned char *text, Py_ssize_t size)
{
    const unsigned char *const end = text + size, *const byte_map = table->byte_map;
    const size_t longest = table->longest;
    char word[2 * LONGEST_POSSIBLE];
    Py_ssize_t words = 0;
    for (;;) {
        while (text < end && byte_map[*text] == ' ')
            text++;
        if (text == end)
            return words;
        size_t characters = 0, bytes = 0;
        unsigned char mapped;
        for (; text < end && (mapped = byte_map[*text]) != ' '; text++) {
            if (!mapped || characters++ >= longest)
                continue;
            if (mapped < 0x80) {
                word[bytes++] = (char)mapped;
            } else {
                word[bytes++] = (char)(0xc0 | mapped >> 6);
                word[bytes++] = (char)(0x80 | (mapped & 0x3f));
            }
        }
        words += characters > 0;
        if (characters && characters <= longest && meet(table, word, bytes) < 0)
            return -1;
    }
}

static uint32_t bits_of(const uint64_t *items, size_t count)
{
    uint64_t all = 0;
    for (size_t place = 0; place < count; place++)
        all |= items[place];
    return (uint32_t)(all >> 32);
}

#endif
