/* Words of link targets for `wordtable.c`, of ASCII characters. `read_target` of `part_text.py` is the same in Python. */
#ifndef NBMAIL_LINK_WORDS_H
#define NBMAIL_LINK_WORDS_H

#include "header_words.h"

#define LONGEST_SERVER 600
#define PATH_CAP 100
#define PATH_WORDS 3
#define LONGEST_PATH_WORD 20

static int is_alphanumeric(char each) { return is_word(each) && each != '_'; }
static int is_hexadecimal(char each) { return is_digit(each) || (each >= 'a' && each <= 'f'); }

/* Return the number of characters at the beginning that `belongs` accepts. */
static size_t run_of(Span text, int (*belongs)(char))
{
    Span rest = text;
    while (rest.at < rest.end && belongs(*rest.at))
        rest.at++;
    return (size_t)(rest.at - text.at);
}

/* True for a number instead of a name: four numbers, a long one, or a hexadecimal one, and perhaps a port. */
static int is_number(Span host)
{
    Span rest = host;
    int parts = 0;
    for (size_t digits; parts < 4 && (digits = run_of(rest, is_digit)) > 0 && digits < 4; parts++) {
        rest.at += digits;
        if (parts < 3 && (rest.at == rest.end || *rest.at++ != '.'))
            break;
    }
    if (parts < 4) {
        rest = host;
        if (run_of(rest, is_digit) >= 6)
            rest.at += run_of(rest, is_digit);
        else if (size_of(rest) > 2 && rest.at[0] == '0' && rest.at[1] == 'x' && is_hexadecimal(rest.at[2]))
            rest.at += 2 + run_of((Span){rest.at + 2, rest.end}, is_hexadecimal);
        else
            return 0;
    }
    if (rest.at == rest.end)
        return 1;
    rest.at++;
    return rest.at[-1] == ':' && rest.at < rest.end && run_of(rest, is_digit) == size_of(rest);
}

static int meet_path(WordTable *table, Span path)
{
    char low[PATH_CAP];
    const size_t length = size_of(path) > PATH_CAP ? PATH_CAP : size_of(path);
    for (size_t at = 0; at < length; at++)
        low[at] = lowered(path.at[at]);
    Span rest = {low, low + length}, word;
    for (int count = 0; count < PATH_WORDS && next_run(&rest, &word, is_alphanumeric); count++)
        if (size_of(word) <= LONGEST_PATH_WORD && MEET(table, span("path:"), word) < 0)
            return -1;
    return 0;
}

/* Add the words of a target. Return its host in lower case in `low`; a negative length on error. */
static Py_ssize_t add_target(WordTable *table, Span target, char low[LONGEST_SERVER])
{
    const char *mark = find_text(target, "://");
    Span place = {low, low};
    if (mark == target.end) {
        const char *colon = find_text(target, ":");
        for (const char *at = target.at; at < colon && place.end - low < 12; at++)
            *(char *)place.end++ = lowered(*at);
        return MEET(table, span("link:"), place, span(":")) < 0 ? -1 : 0;
    }
    const char *end = mark + 3, *begin = mark + 3;
    for (; end < target.end && !(*end && strchr("/\\?#", *end)); end++)
        begin = *end == '@' ? end + 1 : begin;
    for (const char *at = begin; at < end; at++)
        *(char *)place.end++ = lowered(*at);
    if (MEET(table, span("link:"), place) < 0 || MEET(table, span("link:@"), domain_of(place)) < 0 ||
        (begin > mark + 3 && MEET(table, span("link:user@")) < 0) ||
        (is_number(place) && MEET(table, span("link:number")) < 0) ||
        (end < target.end && meet_path(table, (Span){end, target.end}) < 0))
        return -1;
    return (Py_ssize_t)size_of(place);
}

#endif
