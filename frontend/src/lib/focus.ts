/** What has the focus, as seen from a place: a page within another has its own. */
export function focusedIn(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}
