package audit_test

import (
	"testing"

	"parley/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
