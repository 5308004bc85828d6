#include <pg_query.h>

// The levels below which PostgreSQL's messages are left out, of the calling thread.
extern __thread int log_min_messages;
extern __thread int client_min_messages;

// Leaves out the parser's warnings and notices on this thread. Nobody reads them, and for each one with a place all
// characters before it are counted, which takes minutes for many in one text. The level is PostgreSQL's ERROR.
static inline void zonekit_leave_out_warnings(void) {
  log_min_messages = 21;
  client_min_messages = 21;
}
