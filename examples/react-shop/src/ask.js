/** Asks the shop's server. */
export async function ask(path, body) {
  const answer = await fetch(path, body && { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}
