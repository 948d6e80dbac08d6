// Package worktest lets a desk work for a year in seconds: its members do what members
// do all day, on two nodes that stop at random, and after each week the store must be
// what a reference says. Each capability has its own model beside it; here they meet.
//
// It has tests alone, and only they import it all.
package worktest
