#include <histedit.h>
#include <stdio.h>

// Swift can neither call functions with variable arguments nor use the streams of <stdio.h>.

static inline EditLine *zonekit_edit_new(const char *program) { return el_init(program, stdin, stdout, stderr); }

static inline void zonekit_edit_set_client(EditLine *line, void *client) { el_set(line, EL_CLIENTDATA, client); }

static inline void *zonekit_edit_client(EditLine *line) {
  void *client = NULL;
  el_get(line, EL_CLIENTDATA, &client);
  return client;
}

static inline void zonekit_edit_set_prompt(EditLine *line, char *(*prompt)(EditLine *)) {
  el_set(line, EL_PROMPT, prompt);
}

static inline void zonekit_edit_set_reader(EditLine *line, int (*reader)(EditLine *, wchar_t *)) {
  el_set(line, EL_GETCFN, reader);
}

static inline void zonekit_edit_use_emacs_keys(EditLine *line) {
  el_set(line, EL_EDITOR, "emacs");
  el_set(line, EL_SIGNAL, 0);
}

static inline void zonekit_edit_set_unbuffered(EditLine *line, int unbuffered) {
  el_set(line, EL_UNBUFFERED, unbuffered);
}

static inline void zonekit_edit_refresh(EditLine *line) { el_set(line, EL_REFRESH); }

static inline History *zonekit_history_new(EditLine *line, int size) {
  History *past = history_init();
  HistEvent event;
  if (past == NULL) return NULL;
  history(past, &event, H_SETSIZE, size);
  history(past, &event, H_SETUNIQUE, 1);
  el_set(line, EL_HIST, history, past);
  return past;
}

static inline void zonekit_history_add(History *past, const char *text) {
  HistEvent event;
  history(past, &event, H_ENTER, text);
}
