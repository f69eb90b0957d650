// Sends the answer to the platform; without a script a button does.
document.querySelector('form[data-answer]')?.submit();
// Tells the platform that its page of a registration can be closed.
if (document.querySelector('[data-registered]')) {
  (window.opener ?? window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*');
}
