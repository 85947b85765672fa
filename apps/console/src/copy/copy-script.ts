/**
 * The script of the buttons that copy a command: it shows them, and says so once the command is copied. Where the browser gives a
 * page no clipboard, it selects the command.
 */
export const copyScript = `
document.documentElement.classList.add('scripts');
const copy = async (button) => {
  const code = button.previousElementSibling;
  const note = document.getElementById('copied');
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
    note.textContent = 'Copied';
    button.dataset.copied = '';
  } catch {
    note.textContent = 'Selected: copy it with the keyboard';
  }
  setTimeout(() => {
    note.textContent = '';
    delete button.dataset.copied;
  }, 3000);
};
document.addEventListener('click', (event) => {
  const button = event.target.closest('button.copy');
  if (button !== null) copy(button);
});
`;
