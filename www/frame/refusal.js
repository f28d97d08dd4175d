// @ts-check
// Tells the shop's page why there is no form. Holds nothing but a code, so it may answer whoever embeds it.
addEventListener('message', (event) => {
  if (event.source !== parent || event.data?.type !== 'card-widget:connect') return;
  const { code, message, actor, retryable, errorId } = document.body.dataset;
  event.ports[0]?.postMessage({
    type: 'error',
    code,
    message,
    retryable: retryable !== undefined,
    actor,
    stage: 'load',
    correlation_id: errorId,
  });
});
