// Package held keeps layers at hand while others are solved from them, searched above them or
// checked against them.
//
// A [Table] is one table of a layer in the order of package index, in one of the forms that
// [Form] names: a byte a position, half a byte, or a file. [Layers] are those of one game; they
// are what the solver reads the layers below from. A [Loader] brings stored layers into a form:
// it reads their blocks on several workers, and resolves the lower bounds that they hold.
package held
