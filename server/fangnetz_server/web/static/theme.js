/** The theme of the last visit before the first paint; the modules of the page come later. */
{
	let theme = new URLSearchParams(location.search).get("theme");
	try {
		theme ??= localStorage.getItem("fangnetz.theme");
	} catch {
		// In a sandbox nothing is kept.
	}
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
