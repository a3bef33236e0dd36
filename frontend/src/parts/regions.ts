/** Names of the parts that scroll by themselves: each must be told from the others of a page. */
export function named(root: ParentNode, title: string): void {
  for (const region of root.querySelectorAll('[role="region"][aria-label]')) {
    region.setAttribute("aria-label", `${title}: ${region.getAttribute("aria-label") ?? ""}`);
  }
}
