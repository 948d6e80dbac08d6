package api_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestErrorsAreOfTheirOperation requires that the example of an error is
// possible for its operation: that it names an input of the operation, or the
// scope or the role that the operation needs.
func TestErrorsAreOfTheirOperation(t *testing.T) {
	field := regexp.MustCompile(`^([A-Za-z_-]+): `)
	for name, d := range documents() {
		root := rootOf(t, d)
		examples := 0
		eachOperation(root, func(id string, operation map[string]any) {
			inputs := inputsOf(root, operation)
			responses, _ := operation["responses"].(map[string]any)
			for _, status := range []string{"400", "403", "404", "409"} {
				text, _ := pointed(resolved(root, responses[status]), "#/content/application~1json/example/error").(string)
				if responses[status] == nil {
					continue
				}
				examples++
				if named := field.FindStringSubmatch(text); named != nil && !slices.Contains(inputs, named[1]) || text == "" {
					t.Errorf("%s: the %s of %s is %q, which names none of its inputs", name, status, id, text)
				}
			}
			text, _ := pointed(resolved(root, responses["403"]), "#/content/application~1json/example/error").(string)
			scopes, _ := pointed(operation, "#/x-scopes").([]any)
			if len(scopes) > 0 {
				alternatives := make([]string, len(scopes))
				for i, alternative := range scopes {
					var needed []string
					for _, scope := range alternative.([]any) {
						needed = append(needed, scope.(string))
					}
					alternatives[i] = strings.Join(needed, " and ")
				}
				if needed := strings.Join(alternatives, " or "); !strings.HasSuffix(text, " needs "+needed) {
					t.Errorf("%s: the 403 of %s is %q, want one that needs %s", name, id, text, needed)
				}
			}
			if role, ok := operation["x-role"].(string); ok && role != "agent" && !strings.HasSuffix(text, " needs "+role) {
				t.Errorf("%s: the 403 of %s is %q, want one that needs %s", name, id, text, role)
			}
		})
		if examples < 20 {
			t.Errorf("%s: only %d examples were found", name, examples)
		}
	}
}

// inputsOf returns the names that errors may use for the inputs of an operation.
func inputsOf(root, operation map[string]any) []string {
	inputs := []string{"query"}
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		name, _ := resolved(root, p)["name"].(string)
		inputs = append(inputs, name)
	}
	content, _ := pointed(operation, "#/requestBody/content").(map[string]any)
	for _, body := range content {
		inputs = append(inputs, "body")
		media, _ := body.(map[string]any)
		members, _ := resolved(root, media["schema"])["properties"].(map[string]any)
		for name := range members {
			inputs = append(inputs, name)
		}
	}
	return inputs
}
