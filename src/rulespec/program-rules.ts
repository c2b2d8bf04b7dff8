// The rules that every program has: equality of values, inclusion, membership in a list. They are evaluated only for pairs of
// values that a predicate compares, so the cost grows with the predicates, not with the square of the values.

/** The relations of a program: those of its facts and those that rules derive. */
export const RELATIONS = `.decl node(id: number, type: symbol)
.decl scalar(id: number, type: symbol, text: symbol)
.decl element(list: number, position: number, id: number)
.decl member(map: number, key: symbol, id: number)
.decl selected(claim: number, position: number, id: number)
.decl greater(id: number, value: number)
.decl less(id: number, value: number)
.decl has_substring(id: number, value: number)
.decl has_match(id: number, value: number)
.decl choices(list: number)

.decl present(claim: number)
.decl several(claim: number)
.decl indexed(list: number, position: number)
.decl keyed(map: number, key: symbol)
.decl compound(id: number, type: symbol)
.decl asked(id: number, value: number)
.decl compared(id: number, value: number)
.decl paired(id: number, value: number, inner: number, inner_value: number)
.decl unlike(id: number, value: number)
.decl same(id: number, value: number)
.decl sought(id: number, value: number)
.decl includes(id: number, value: number)
.decl judged(id: number, list: number)
.decl candidate(id: number, list: number)
.decl choice(list: number, type: symbol, text: symbol)
.decl one_of(id: number, list: number)
.decl stray(id: number, list: number)
.decl within(id: number, list: number)
.decl touches(id: number, list: number)
.decl broken(check: number)
.decl holds(check: number)

.decl pred_pass(predicate: number)
.decl pred_fail(predicate: number)
.decl pred_skip(predicate: number)
.output pred_pass
.output pred_fail
.output pred_skip
`;

/** The relations and rules that predicates use. */
export const LIBRARY = `// What a claim selects; nulls have been dropped, so a claim without a row is absent.
present(C) :- selected(C, _, _).
several(C) :- selected(C, 1, _).

// Lists and maps.
indexed(L, P) :- element(L, P, _).
keyed(M, K) :- member(M, K, _).
compound(N, "list") :- node(N, "list").
compound(N, "map") :- node(N, "map").

// Equality, typed and deep: a scalar by its type and text, a list or map unless anything in it is unlike.
same(A, B) :- asked(A, B), scalar(A, T, V), scalar(B, T, V).
same(A, B) :- asked(A, B), compound(A, T), compound(B, T), !unlike(A, B).
compared(A, B) :- asked(A, B), compound(A, T), compound(B, T).
compared(X, Y) :- paired(_, _, X, Y), compound(X, T), compound(Y, T).
paired(A, B, X, Y) :- compared(A, B), element(A, P, X), element(B, P, Y).
paired(A, B, X, Y) :- compared(A, B), member(A, K, X), member(B, K, Y).
unlike(A, B) :- compared(A, B), indexed(A, P), !indexed(B, P).
unlike(A, B) :- compared(A, B), indexed(B, P), !indexed(A, P).
unlike(A, B) :- compared(A, B), keyed(A, K), !keyed(B, K).
unlike(A, B) :- compared(A, B), keyed(B, K), !keyed(A, K).
unlike(A, B) :- paired(A, B, X, Y), node(X, T), node(Y, U), T != U.
unlike(A, B) :- paired(A, B, X, Y), scalar(X, T, V), scalar(Y, T, W), V != W.
unlike(A, B) :- paired(A, B, X, Y), unlike(X, Y).

// A list with an equal element, a map with an equal value, a string with the substring, another scalar that is equal.
asked(X, V) :- sought(N, V), element(N, _, X), compound(X, T), compound(V, T).
asked(X, V) :- sought(N, V), member(N, _, X), compound(X, T), compound(V, T).
includes(N, V) :- sought(N, V), scalar(V, T, W), element(N, _, X), scalar(X, T, W).
includes(N, V) :- sought(N, V), scalar(V, T, W), member(N, _, X), scalar(X, T, W).
includes(N, V) :- sought(N, V), scalar(V, T, W), scalar(N, T, W).
includes(N, V) :- sought(N, V), element(N, _, X), same(X, V).
includes(N, V) :- sought(N, V), member(N, _, X), same(X, V).
includes(N, V) :- sought(N, V), has_substring(N, V).

// One of a list of values: scalars are looked up, lists and maps are compared with each that is one.
choice(L, T, V) :- choices(L), element(L, _, X), scalar(X, T, V).
candidate(N, L) :- judged(N, L).
candidate(X, L) :- judged(N, L), element(N, _, X).
asked(N, X) :- candidate(N, L), compound(N, T), element(L, _, X), compound(X, T).
one_of(N, L) :- candidate(N, L), scalar(N, T, V), choice(L, T, V).
one_of(N, L) :- candidate(N, L), compound(N, _), element(L, _, X), same(N, X).

// A list counts by its elements too: all of them for any_of, any of them for none_of.
stray(N, L) :- judged(N, L), element(N, _, X), !one_of(X, L).
within(N, L) :- one_of(N, L), judged(N, L).
within(N, L) :- judged(N, L), element(N, 0, _), !stray(N, L).
touches(N, L) :- one_of(N, L), judged(N, L).
touches(N, L) :- judged(N, L), element(N, _, X), one_of(X, L).
`;
