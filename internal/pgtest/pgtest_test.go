package pgtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { Main(m) }

func TestDatabasesAreSeparate(t *testing.T) {
	for range 2 {
		conn, err := pgx.Connect(t.Context(), URL(t))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.Background()) }()
		if _, err := conn.Exec(t.Context(), "CREATE TABLE t (i int)"); err != nil {
			t.Errorf("the second database is the first: %v", err)
		}
	}
}

func TestKilledClusterKeepsCommits(t *testing.T) {
	c := NewCluster(t)
	exec := func(sql string) error {
		conn, err := pgx.Connect(t.Context(), c.URL("postgres"))
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(context.Background()) }()
		_, err = conn.Exec(t.Context(), sql)
		return err
	}
	if err := exec("CREATE TABLE kept (i int)"); err != nil {
		t.Fatal(err)
	}
	c.Kill()
	if exec("SELECT 1") == nil {
		t.Fatal("a killed cluster answers")
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if err := exec("INSERT INTO kept VALUES (1)"); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

// TestClusterDiesWithItsProcess starts this test binary again, kills it, and
// looks whether its cluster is gone.
func TestClusterDiesWithItsProcess(t *testing.T) {
	if os.Getenv("PGTEST_CHILD") == "1" {
		c, err := newCluster("")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("URL " + c.URL("postgres") + "\n")
		select {} // until it is killed
	}
	if _, err := binaries(); err != nil {
		missing(t, err)
	}
	child := exec.Command(os.Args[0], "-test.run=^TestClusterDiesWithItsProcess$")
	child.Env = append(os.Environ(), "PGTEST_CHILD=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	url := readURL(t, out)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	// The server ends this session when it stops; a query waits for that.
	if _, err := conn.Exec(t.Context(), "SELECT pg_sleep(20)"); err == nil {
		t.Error("the cluster outlives its process")
	}
}

func readURL(t *testing.T, out interface{ Read([]byte) (int, error) }) string {
	t.Helper()
	text := ""
	buffer := make([]byte, 256)
	for !strings.Contains(text, "\n") {
		n, err := out.Read(buffer)
		if err != nil {
			t.Fatalf("the child ended: %v after %q", err, text)
		}
		text += string(buffer[:n])
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(line, "URL ")
}

// TestFilledOnce starts two clusters from one kept folder: what the first one was filled
// with is in the second one, which fills nothing.
func TestFilledOnce(t *testing.T) {
	if _, err := binaries(); err != nil {
		missing(t, err)
	}
	home := t.TempDir()
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	fills := 0
	for range 2 {
		c, err := filledCluster(filepath.Join(home, "kept"), func(c *Cluster) {
			fills++
			create(t, c.URL("postgres"), "filled", func(url string) {
				if err := run(url, "CREATE TABLE one (n bigint); INSERT INTO one VALUES (1)"); err != nil {
					t.Fatal(err)
				}
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := run(c.URL("filled"), "INSERT INTO one SELECT n + 1 FROM one"); err != nil {
			t.Error(err)
		}
		if err := run(c.URL("filled"), "DO $$ BEGIN IF (SELECT count(*) FROM one) <> 2 THEN RAISE EXCEPTION 'it is another database'; END IF; END $$"); err != nil {
			t.Error(err)
		}
		c.Remove()
	}
	if fills != 1 {
		t.Errorf("the clusters were filled %d times", fills)
	}
}
