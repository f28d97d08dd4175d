// @ts-check
// Tells the shop's page why there is no form. Holds nothing but a code, so it may answer whoever embeds it.
addEventListener('message', (event) => {
  if (event.source !== parent || event.data?.type !== 'card-widget:connect') return;
  const { code = '', message = '', actor } = document.body.dataset;
  event.ports[0]?.postMessage({ type: 'error', code, message, actor, retryable: false, stage: 'init', correlation_id: '' });
});
