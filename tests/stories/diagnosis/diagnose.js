// What the shop's page hears of a script that does not load, and of a widget that does not start, and after how long.
window.scripts = { failed: [], blocked: [] };
addEventListener('error', ({ target }) => target.src && scripts.failed.push(target.src), true);
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  scripts.blocked.push({ effectiveDirective, blockedURI });
});

/** Opens a widget; `report` holds what has been heard of it. */
window.diagnose = (params) => {
  window.widget?.destroy();
  const began = performance.now();
  const report = { took: 0, count: 0 };
  window.report = report;
  const plain = ({ name, code, message, retryable, actor, stage }) => ({ name, code, message, retryable, actor, stage });
  document.addEventListener('widget-init-error', ({ detail }) => {
    if (window.report !== report) return;
    report.took = Math.round(performance.now() - began);
    report.count += 1;
    report.event = { ...detail };
  });
  openWidget({ ...params, onError: (error) => { report.error = plain(error); } });
  widget.ready.then(() => { report.works = true; }, (error) => { report.rejection = plain(error); });
};
