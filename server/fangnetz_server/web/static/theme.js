/** Not white for a moment. */
{
	let theme = new URLSearchParams(location.search).get("theme");
	try {
		theme ??= localStorage.getItem("fangnetz.theme");
	} catch {}
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
