"use strict";
// What all pages share: the choice of light or dark, and of the language.

function remember(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  remember("theme", root.dataset.theme);
});

document.getElementById("language").addEventListener("click", (event) => {
  event.preventDefault();
  remember("lang", event.currentTarget.hreflang);
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  location.replace(here);
});

// part fetches a part of a page and puts it in its place. Where the server gives none it
// says so, in words that the page has for that.
async function part(place, failed, address, options, isNewest = () => true) {
  let html = "";
  try {
    const answer = await fetch(address, options);
    html = await answer.text();
  } catch (error) {
    // there is no server
  }
  if (!isNewest()) return false;
  if (html && !html.includes("<html")) {
    place.innerHTML = html;
  } else {
    place.innerHTML = '<p class="verdict unknown"></p>';
    place.firstChild.textContent = failed;
  }
  return true;
}

// A form whose answer is a part of the page is answered in place.
for (const form of document.querySelectorAll("form[data-part]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    await part(document.getElementById(form.dataset.part), form.dataset.failed, `${form.action}?part=1`, { method: "POST", body });
  });
}
