// Package mistakes holds what must not compile against the generated client,
// behind the build tag mistakes.
package mistakes
