//! A browser driven by the WebDriver protocol (W3C), as far as the tests need it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a page may take that scripts make, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often a driver is started at most. It takes a free port for IPv4 and then the same one for IPv6, and ends where
/// another process holds that: the more services and browsers run at once, the likelier.
const STARTS: usize = 5;

/// A driver and the port it listens on, or nothing where it ended before it told one.
fn driver(files: &Path) -> Option<(Child, u16)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .env("TMPDIR", files)
        .stdout(Stdio::piped())
        .spawn()
        .expect("chromedriver is installed (make tools)");
    let port = BufReader::new(driver.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .find_map(|line| line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok());
    match port {
        Some(port) => Some((driver, port)),
        None => {
            driver.wait().unwrap();
            None
        }
    }
}

/// A headless Chromium with one window; it ends when this is dropped.
pub struct Browser {
    driver: Child,
    base: String,
    /// What the two write beside pages; it goes when they have ended.
    _files: TempDir,
}

impl Browser {
    pub fn start() -> Self {
        let files = tempfile::tempdir().unwrap();
        let (driver, port) = (0..STARTS).find_map(|_| driver(files.path())).expect("chromedriver tells its port");
        let mut browser = Browser { driver, base: format!("http://127.0.0.1:{port}/session"), _files: files };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-dev-shm-usage",
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            // Certificates of tests are their own.
            "acceptInsecureCerts": true,
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let session = browser.post("", capabilities)["sessionId"].as_str().unwrap().to_owned();
        browser.base = format!("{}/{session}", browser.base);
        browser.size(1280, 900);
        browser
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let url = format!("{}{path}", self.base);
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut answer = agent.post(&url).send_json(&body).unwrap();
        let answer: Value = answer.body_mut().with_config().limit(1 << 28).read_json().unwrap();
        assert!(answer["value"].get("error").is_none(), "{path}: {}", answer["value"]["message"]);
        answer["value"].clone()
    }

    fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
    }

    pub fn size(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics);
    }

    pub fn dark(&self) {
        self.shade(true);
    }

    /// Tells pages that the person prefers dark ones, or light ones.
    pub fn shade(&self, dark: bool) {
        let preferred = if dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": preferred }] });
        self.cdp("Emulation.setEmulatedMedia", features);
    }

    /// Drags files and folders from a file manager onto an element, and lets go of them there.
    pub fn drop_files(&self, selector: &str, paths: &[&Path]) {
        let middle = self.run(&format!(
            "const box = document.querySelector({selector:?}); box.scrollIntoView({{ block: 'center' }}); \
             const at = box.getBoundingClientRect(); return [at.x + at.width / 2, at.y + 4]"
        ));
        let data = json!({ "items": [], "files": paths, "dragOperationsMask": 1 });
        for kind in ["dragEnter", "dragOver", "drop"] {
            let event = json!({ "type": kind, "x": middle[0], "y": middle[1], "data": data });
            self.cdp("Input.dispatchDragEvent", event);
        }
    }

    pub fn open(&self, page: &Path) {
        self.go(&format!("file://{}", page.display()));
    }

    /// Opens an address.
    pub fn go(&self, address: &str) {
        self.post("/frame", json!({ "id": null }));
        self.post("/url", json!({ "url": address }));
    }

    /// Runs a function body in the page and gives what it returns.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": [] }))
    }

    pub fn text(&self, selector: &str) -> String {
        self.run(&format!("return document.querySelector({selector:?}).textContent")).as_str().unwrap().to_owned()
    }

    pub fn click(&self, selector: &str) {
        self.run(&format!("document.querySelector({selector:?}).click()"));
    }

    /// Writes into a field.
    pub fn fill(&self, selector: &str, value: &str) {
        self.run(&format!("document.querySelector({selector:?}).value = {value:?}"));
    }

    /// Does what leads to another page, and waits until that is there.
    pub fn leave(&self, action: &str) {
        self.run(&format!("window.isOld = true; {action}"));
        self.wait("!window.isOld && document.readyState === 'complete'");
    }

    /// Clicks what leads to another page.
    pub fn follow(&self, selector: &str) {
        self.leave(&format!("document.querySelector({selector:?}).click()"));
    }

    /// Types into a field, as with a keyboard.
    pub fn type_into(&self, selector: &str, text: &str) {
        let found = self.post("/element", json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned();
        self.post(&format!("/element/{id}/value"), json!({ "text": text }));
    }

    /// Waits until an expression is true in the page.
    pub fn wait(&self, expression: &str) {
        let begun = Instant::now();
        while self.run(&format!("return {expression}")) != true {
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {expression}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Goes into a frame of the page, where all that follows happens until the frame or the window shows another page.
    pub fn enter(&self, selector: &str) {
        self.post("/frame", json!({ "id": null }));
        let found = self.post("/element", json!({ "using": "css selector", "value": selector }));
        self.post("/frame", json!({ "id": found }));
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        self.run("return location.href").as_str().unwrap().to_owned()
    }

    /// Presses and releases a key, wherever the focus is.
    pub fn press(&self, key: &str) {
        let action = |kind: &str| json!({ "type": kind, "value": key });
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": [action("keyDown"), action("keyUp")] }] });
        self.post("/actions", actions);
    }

    /// Takes a picture of the window and keeps it among the artefacts of the tests.
    pub fn picture(&self, name: &str) {
        use base64::Engine;
        let shot = self.cdp("Page.captureScreenshot", json!({}));
        let bytes = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        self.post("/se/log", json!({ "type": kind })).as_array().unwrap().clone()
    }

    /// What the console says: errors and refusals of the page's policy.
    pub fn complaints(&self) -> Vec<Value> {
        self.log("browser")
    }

    /// Addresses that were asked for since the last call.
    pub fn requests(&self) -> Vec<String> {
        let request = |entry: Value| {
            let event: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let event = &event["message"];
            let sent = event["method"] == "Network.requestWillBeSent";
            sent.then(|| event["params"]["request"]["url"].as_str().map(str::to_owned))?
        };
        self.log("performance").into_iter().filter_map(request).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The session first, which ends Chromium; then the driver.
        let _ = ureq::delete(&self.base).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
